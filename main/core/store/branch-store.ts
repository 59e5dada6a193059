import { z } from 'zod';
import { TodoItem } from '../../../shared/model/todo';
import { fromJson, parseRow, type Sql } from './sql';
import { NOT_VOIDED } from './window-store';

/** A place in a session: events before `seq` and messages before `position` come before it. */
export interface BranchPoint {
  seq: number;
  position: number;
}

/** Rows copied in one transaction; large ones count for more by {@link SLICE_BYTES}. */
const SLICE_ROWS = 400;
const SLICE_BYTES = 2_000_000;

export interface NewBranch {
  id: string;
  /** The session it is copied from. */
  from: string;
  title: string;
  /** Who chose the title. */
  titleBy: 'user' | 'message';
  /** The line that lists show under the title. */
  lastFact: string;
}

/** What forks and rewinds need of a session's rows. */
export interface BranchStore {
  /** Where the turn begins, or null when it is not there or voided. */
  turnStart(sessionId: string, turnId: string): BranchPoint | null;
  /** The active message with this id. */
  message(sessionId: string, messageId: string): { position: number; turnId: string } | null;
  /** The first event after `seq` that begins something new: a step, a turn, its end, what the user said in between. */
  nextBoundary(sessionId: string, seq: number): { seq: number; isTurnEnd: boolean } | null;
  /** Where the next exchange begins: the turn after `seq` that answers a new message. */
  nextExchange(sessionId: string, seq: number): BranchPoint | null;
  /** The seq of the event that shows a message. */
  eventOf(sessionId: string, turnId: string, messageId: string): number | null;
  /** The position after the results that belong to the message at `position`. */
  afterResults(sessionId: string, position: number): number;
  /** One past the last event and message. */
  end(sessionId: string): BranchPoint;
  /** True when nothing is missing or unreadable from there to the end. */
  isWhole(sessionId: string, from: BranchPoint): boolean;
  todosBefore(sessionId: string, seq: number): TodoItem[];
  /** Makes the session a fork is copied into; no list shows it until `reveal`. */
  begin(branch: NewBranch): void;
  /** Copies the next rows before `until`; false when all are there. */
  copyNext(branch: NewBranch, until: BranchPoint): boolean;
  /** Shows the finished session. */
  reveal(id: string): void;
  /** Removes what copies that never were finished left behind more than an hour ago. */
  dropUnfinished(): void;
}

const Point = z.object({ seq: z.int(), position: z.int() });
const Seq = z.object({ seq: z.int() });
const Boundary = z
  .object({ seq: z.int(), type: z.string() })
  .transform((row) => ({ seq: row.seq, isTurnEnd: row.type === 'turn.finished' }));
const Place = z.object({ position: z.int(), turn_id: z.string() });
const Counters = z.object({ last_seq: z.int(), last_position: z.int() });
const Todos = z.object({
  payload: z
    .string()
    .transform(fromJson)
    .pipe(z.object({ items: z.array(TodoItem) })),
});
const UNFINISHED_MS = 3_600_000;

function turnStart(sql: Sql, sessionId: string, turnId: string): BranchPoint | null {
  return parseRow(
    Point,
    sql.get(
      `SELECT e.seq, (SELECT min(position) FROM messages m
           WHERE m.session_id = e.session_id AND m.turn_id = e.turn_id AND m.voided_by IS NULL) AS position
       FROM events e WHERE e.session_id = ? AND e.type = 'turn.started' AND e.turn_id = ? AND ${NOT_VOIDED}
       ORDER BY e.seq LIMIT 1`,
      sessionId,
      turnId,
    ),
  );
}

function end(sql: Sql, sessionId: string): BranchPoint {
  const counters = parseRow(
    Counters,
    sql.get('SELECT last_seq, last_position FROM sessions WHERE id = ?', sessionId),
  );
  return { seq: (counters?.last_seq ?? 0) + 1, position: (counters?.last_position ?? 0) + 1 };
}

const Whole = z.object({ events: z.int(), messages: z.int() });

function isWhole(sql: Sql, sessionId: string, from: BranchPoint): boolean {
  const last = end(sql, sessionId);
  const found = parseRow(
    Whole,
    sql.get(
      `SELECT (SELECT count(*) FROM events WHERE session_id = ?1 AND seq >= ?2 AND json_valid(payload)) AS events,
         (SELECT count(*) FROM messages WHERE session_id = ?1 AND position >= ?3 AND json_valid(message)) AS messages`,
      sessionId,
      from.seq,
      from.position,
    ),
  );
  return found?.events === last.seq - from.seq && found.messages === last.position - from.position;
}

function begin(sql: Sql, { id, from, title, titleBy, lastFact }: NewBranch): void {
  const now = Date.now();
  sql.run(
    `INSERT INTO sessions (id, project_id, project_path, title, title_by, mode, model, agent, last_fact, forked_from,
       is_hidden, created_at, updated_at)
     SELECT ?1, project_id, project_path, ?3, ?4, mode, model, agent, ?6, id, 1, ?5, ?5 FROM sessions WHERE id = ?2`,
    id,
    from,
    title,
    titleBy,
    now,
    lastFact,
  );
}

const Last = z.object({ last: z.int().nullable() });

/** The last row of the next slice: as many rows as fit into its bytes, at least one. */
function sliceEnd(sql: Sql, table: 'events' | 'messages', sessionId: string, after: number, until: number) {
  const [key, text] = table === 'events' ? ['seq', 'payload'] : ['position', 'message'];
  return parseRow(
    Last,
    sql.get(
      `SELECT max(key) AS last FROM (
         SELECT ${key} AS key, sum(length(${text})) OVER (ORDER BY ${key}) - length(${text}) AS before
         FROM (SELECT ${key}, ${text} FROM ${table} WHERE session_id = ? AND ${key} > ? AND ${key} < ?
               ORDER BY ${key} LIMIT ${SLICE_ROWS}))
       WHERE before < ${SLICE_BYTES}`,
      sessionId,
      after,
      until,
    ),
  )?.last;
}

function copyEvents(sql: Sql, { id, from }: NewBranch, done: number, until: number): boolean {
  const last = sliceEnd(sql, 'events', from, done, until);
  if (last == null) return false;
  sql.run(
    `INSERT INTO events (session_id, seq, turn_id, at, type, payload)
     SELECT ?1, seq, turn_id, at, type, payload FROM events WHERE session_id = ?2 AND seq > ?3 AND seq <= ?4`,
    id,
    from,
    done,
    last,
  );
  sql.run('UPDATE sessions SET last_seq = ? WHERE id = ?', last, id);
  return true;
}

function copyMessages(sql: Sql, { id, from }: NewBranch, done: number, until: number): boolean {
  const last = sliceEnd(sql, 'messages', from, done, until);
  if (last == null) return false;
  sql.run(
    `INSERT INTO messages (session_id, position, id, turn_id, at, message, voided_by)
     SELECT ?1, position, id, turn_id, at, message, voided_by FROM messages
     WHERE session_id = ?2 AND position > ?3 AND position <= ?4`,
    id,
    from,
    done,
    last,
  );
  sql.run('UPDATE sessions SET last_position = ? WHERE id = ?', last, id);
  return true;
}

function copyNext(sql: Sql, branch: NewBranch, until: BranchPoint): boolean {
  return sql.transaction(() => {
    const done = end(sql, branch.id);
    return (
      copyEvents(sql, branch, done.seq - 1, until.seq) ||
      copyMessages(sql, branch, done.position - 1, until.position)
    );
  });
}

/** What belongs to the rows that were copied: rewinds, anchors, the count of messages, the queue of the search. */
function reveal(sql: Sql, id: string): void {
  sql.transaction(() => {
    sql.run(
      `INSERT INTO rewinds (session_id, seq, to_seq, to_position)
       SELECT s.id, r.seq, r.to_seq, r.to_position FROM sessions s JOIN rewinds r ON r.session_id = s.forked_from
       WHERE s.id = ? AND r.seq <= s.last_seq`,
      id,
    );
    sql.run(
      `INSERT OR IGNORE INTO view_anchors (session_id, seq, items)
       SELECT s.id, a.seq, a.items FROM sessions s JOIN view_anchors a ON a.session_id = s.forked_from
       WHERE s.id = ? AND a.seq <= s.last_seq`,
      id,
    );
    // What the original voided after the fork's end is alive in the fork.
    sql.run(
      `UPDATE messages SET voided_by = NULL WHERE session_id = ?1 AND voided_by >
         (SELECT last_seq FROM sessions WHERE id = ?1)`,
      id,
    );
    sql.run(
      `UPDATE sessions SET is_hidden = 0, message_count = (SELECT count(*) FROM messages
         WHERE session_id = ?1 AND voided_by IS NULL AND message ->> '$.role' IN ('user', 'assistant'))
       WHERE id = ?1`,
      id,
    );
    sql.run(
      `INSERT INTO search_pending (session_id, next_position)
       SELECT id, last_position FROM sessions WHERE id = ? AND last_position > 0`,
      id,
    );
  });
}

export function createBranchStore(sql: Sql): BranchStore {
  return {
    turnStart: (sessionId, turnId) => turnStart(sql, sessionId, turnId),
    message: (sessionId, messageId) => {
      const row = parseRow(
        Place,
        sql.get(
          'SELECT position, turn_id FROM messages WHERE session_id = ? AND id = ? AND voided_by IS NULL',
          sessionId,
          messageId,
        ),
      );
      return row && { position: row.position, turnId: row.turn_id };
    },
    nextExchange: (sessionId, seq) => {
      const row = parseRow(
        z.object({ turn_id: z.string() }),
        sql.get(
          `SELECT e.turn_id FROM events e WHERE e.session_id = ? AND e.type = 'turn.started' AND e.seq > ?
             AND ${NOT_VOIDED} AND coalesce(e.payload ->> '$.kind', 'message') = 'message' ORDER BY e.seq LIMIT 1`,
          sessionId,
          seq,
        ),
      );
      return row && turnStart(sql, sessionId, row.turn_id);
    },
    nextBoundary: (sessionId, seq) =>
      parseRow(
        Boundary,
        sql.get(
          `SELECT e.seq, e.type FROM events e WHERE e.session_id = ? AND e.seq > ? AND ${NOT_VOIDED}
             AND e.type IN ('step.started', 'turn.started', 'turn.finished', 'interjection') ORDER BY e.seq LIMIT 1`,
          sessionId,
          seq,
        ),
      ),
    eventOf: (sessionId, turnId, messageId) =>
      parseRow(
        Seq,
        sql.get(
          `SELECT e.seq FROM events e WHERE e.session_id = ?1 AND e.turn_id = ?2 AND ${NOT_VOIDED}
             AND e.seq >= (SELECT min(seq) FROM events WHERE session_id = ?1 AND type = 'turn.started' AND turn_id = ?2)
             AND e.type IN ('turn.started', 'step.started', 'interjection') AND e.payload ->> '$.messageId' = ?3
           ORDER BY e.seq LIMIT 1`,
          sessionId,
          turnId,
          messageId,
        ),
      )?.seq ?? null,
    afterResults: (sessionId, position) => {
      const row = parseRow(
        z.object({ position: z.int().nullable() }),
        sql.get(
          `SELECT min(position) AS position FROM messages WHERE session_id = ? AND position > ? AND voided_by IS NULL
             AND message ->> '$.role' <> 'tool'`,
          sessionId,
          position,
        ),
      );
      return row?.position ?? end(sql, sessionId).position;
    },
    end: (sessionId) => end(sql, sessionId),
    isWhole: (sessionId, from) => isWhole(sql, sessionId, from),
    todosBefore: (sessionId, seq) =>
      parseRow(
        Todos,
        sql.get(
          `SELECT e.payload FROM events e WHERE e.session_id = ? AND e.type = 'todo.changed' AND e.seq < ?
             AND ${NOT_VOIDED} ORDER BY e.seq DESC LIMIT 1`,
          sessionId,
          seq,
        ),
      )?.payload.items ?? [],
    begin: (branch) => begin(sql, branch),
    copyNext: (branch, until) => copyNext(sql, branch, until),
    reveal: (id) => reveal(sql, id),
    dropUnfinished: () => {
      sql.run('DELETE FROM sessions WHERE is_hidden = 1 AND created_at < ?', Date.now() - UNFINISHED_MS);
    },
  };
}
