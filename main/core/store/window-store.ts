import { z } from 'zod';
import type { SessionView } from '../../../shared/model/session-view';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { EventRow } from './event-row';
import { parseRow, parseRows, type Sql } from './sql';

/** Where a turn begins: the seq of its first event and how many items of the view come before it. */
export interface ViewAnchor {
  seq: number;
  items: number;
}

/** Finds the events behind any part of a session's view, so that nobody has to hold or reduce all of it. */
export interface WindowStore {
  /** Keeps the view (its newest items) and where the turns of since the last call begin. */
  save(sessionId: string, view: SessionView, anchors: readonly ViewAnchor[]): void;
  /** The last turn that begins at or before item number `items`. */
  anchorBefore(sessionId: string, items: number): ViewAnchor | null;
  /** The first turn that begins at or after item number `items`. */
  anchorAfter(sessionId: string, items: number): ViewAnchor | null;
  /** The last turn that begins at or before this seq. */
  anchorAt(sessionId: string, seq: number): ViewAnchor | null;
  /** Messages of people and models at or before a position, the nearest first: what a search hit belongs to. */
  spokenBefore(sessionId: string, position: number, limit: number): { id: string; turnId: string }[];
  /** The message that asked for a call; the newest one, since providers give ids again. */
  callOwner(sessionId: string, callId: string): { id: string; turnId: string } | null;
  /** The message that a turn answers: how many-th of its session it is, when it was sent and what it says. */
  turn(sessionId: string, turnId: string): { number: number; at: number; text: string } | null;
  /** Events with `from` <= seq < `to` that no rewind has voided, in order, at most `limit`. */
  active(sessionId: string, from: number, to: number, limit: number): TurnEvent[];
  /** Events from `from` on that change items of earlier turns. */
  late(sessionId: string, from: number): TurnEvent[];
}

const AnchorRow = z.object({ seq: z.int(), items: z.int() });
const Spoken = z
  .object({ id: z.string(), turn_id: z.string() })
  .transform((row) => ({ id: row.id, turnId: row.turn_id }));
const Turn = z.object({ number: z.int(), at: z.int(), text: z.string() });
const COLUMNS = 'session_id, seq, turn_id, at, payload';

/** Leaves out events that a rewind has voided; `e` is the events table. */
export const NOT_VOIDED = `e.type <> 'session.rewound' AND NOT EXISTS (
  SELECT 1 FROM rewinds r WHERE r.session_id = e.session_id AND e.seq >= r.to_seq AND e.seq < r.seq)`;

function save(sql: Sql, sessionId: string, view: SessionView, anchors: readonly ViewAnchor[]): void {
  const text = JSON.stringify(view);
  sql.transaction(() => {
    for (const { seq, items } of anchors) {
      sql.run(
        'INSERT OR REPLACE INTO view_anchors (session_id, seq, items) VALUES (?, ?, ?)',
        sessionId,
        seq,
        items,
      );
    }
    sql.run(
      `INSERT INTO views (session_id, seq, view) VALUES (?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, view = excluded.view WHERE excluded.seq >= views.seq`,
      sessionId,
      view.seq,
      text,
    );
  });
}

type Anchors = Pick<WindowStore, 'anchorBefore' | 'anchorAfter' | 'anchorAt'>;
type Messages = Pick<WindowStore, 'spokenBefore' | 'callOwner' | 'turn'>;
type Events = Pick<WindowStore, 'active' | 'late'>;

/** Where turns begin. */
function anchorQueries(sql: Sql): Anchors {
  const anchor = (text: string, sessionId: string, items: number): ViewAnchor | null =>
    parseRow(AnchorRow, sql.get(text, sessionId, items));
  return {
    anchorBefore: (sessionId, items) =>
      anchor(
        `SELECT seq, items FROM view_anchors WHERE session_id = ? AND items <= ?
         ORDER BY items DESC, seq DESC LIMIT 1`,
        sessionId,
        items,
      ),
    anchorAfter: (sessionId, items) =>
      anchor(
        'SELECT seq, items FROM view_anchors WHERE session_id = ? AND items >= ? ORDER BY items, seq LIMIT 1',
        sessionId,
        items,
      ),
    anchorAt: (sessionId, seq) =>
      anchor(
        'SELECT seq, items FROM view_anchors WHERE session_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1',
        sessionId,
        seq,
      ),
  };
}

/** Who said what, and to what it belongs. */
function messageQueries(sql: Sql): Messages {
  return {
    spokenBefore: (sessionId, position, limit) =>
      parseRows(
        Spoken,
        sql.all(
          `SELECT id, turn_id FROM messages WHERE session_id = ? AND position <= ? AND voided_by IS NULL
             AND json_valid(message) AND message ->> '$.role' IN ('user', 'assistant')
           ORDER BY position DESC LIMIT ?`,
          sessionId,
          position,
          limit,
        ),
      ).items,
    callOwner: (sessionId, callId) =>
      parseRow(
        Spoken,
        sql.get(
          `SELECT payload ->> '$.messageId' AS id, turn_id FROM events e WHERE session_id = ?
             AND type = 'call.requested' AND payload ->> '$.callId' = ? AND ${NOT_VOIDED}
           ORDER BY seq DESC LIMIT 1`,
          sessionId,
          callId,
        ),
      ),
    turn: (sessionId, turnId) =>
      parseRow(
        Turn,
        sql.get(
          `WITH asked AS (
             SELECT e.seq, e.at, e.payload ->> '$.text' AS text FROM events e WHERE e.session_id = ?
               AND e.type = 'turn.started' AND coalesce(e.payload ->> '$.kind', 'message') = 'message' AND e.seq <=
               (SELECT min(seq) FROM events WHERE session_id = ? AND type = 'turn.started' AND turn_id = ?)
             ORDER BY e.seq DESC LIMIT 1)
           SELECT at, text, 1 + (SELECT count(*) FROM events e WHERE e.session_id = ? AND e.type = 'turn.started'
             AND coalesce(e.payload ->> '$.kind', 'message') = 'message' AND e.seq < asked.seq AND ${NOT_VOIDED}) AS number
           FROM asked`,
          ...[sessionId, sessionId, turnId, sessionId],
        ),
      ),
  };
}

/** What a view is made of. */
function eventQueries(sql: Sql): Events {
  return {
    active: (sessionId, from, to, limit) =>
      parseRows(
        EventRow,
        sql.all(
          `SELECT ${COLUMNS} FROM events e WHERE session_id = ? AND seq >= ? AND seq < ? AND ${NOT_VOIDED}
           ORDER BY seq LIMIT ?`,
          sessionId,
          from,
          to,
          limit,
        ),
      ).items,
    late: (sessionId, from) =>
      parseRows(
        EventRow,
        sql.all(
          `SELECT ${COLUMNS} FROM events e WHERE session_id = ? AND type = 'diff.reverted' AND seq >= ?
             AND ${NOT_VOIDED} ORDER BY seq`,
          sessionId,
          from,
        ),
      ).items,
  };
}

export function createWindowStore(sql: Sql): WindowStore {
  return {
    save: (sessionId, view, anchors) => save(sql, sessionId, view, anchors),
    ...anchorQueries(sql),
    ...messageQueries(sql),
    ...eventQueries(sql),
  };
}
