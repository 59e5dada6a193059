import { z } from 'zod';
import { Plan } from '../../../shared/model/plan';
import { TodoItem } from '../../../shared/model/todo';
import { fromJson, parseRow, parseRows, type Sql } from './sql';
import { NOT_VOIDED } from './window-store';

/** A place in a session: events before `seq` and messages before `position` come before it. */
export interface BranchPoint {
  seq: number;
  position: number;
}

/** Places in a session's rows, as forks and rewinds need them. */
export interface BranchPoints {
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
  hasRewinds(sessionId: string): boolean;
  /** Turns that begin at or after an event, in order, those that a rewind has voided included. */
  turnsFrom(sessionId: string, seq: number): TurnStart[];
  /** One past the last event and message. */
  end(sessionId: string): BranchPoint;
  /** True when nothing is missing or unreadable from there to the end. */
  isWhole(sessionId: string, from: BranchPoint): boolean;
  todosBefore(sessionId: string, seq: number): TodoItem[];
  /** Each plan as it was then, in the order in which they were made. */
  plansBefore(sessionId: string, seq: number): Plan[];
}

/** Where a turn begins; `message`: with a message of the user, not by going on from the turn before. */
export interface TurnStart {
  turnId: string;
  seq: number;
  kind: string;
  isVoided: boolean;
}

const StartRow = z
  .object({ turn_id: z.string(), seq: z.int(), kind: z.string(), active: z.int() })
  .transform(({ turn_id, seq, kind, active }) => ({ turnId: turn_id, seq, kind, isVoided: active === 0 }));
const Point = z.object({ seq: z.int(), position: z.int() });
const TurnRow = z.object({ turn_id: z.string() });
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
const PlanChanged = z.object({
  payload: z
    .string()
    .transform(fromJson)
    .pipe(z.object({ plan: Plan })),
});

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

/** One past the last event and message of a session. */
export function end(sql: Sql, sessionId: string): BranchPoint {
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
      `SELECT (SELECT count(*) FROM events WHERE session_id = ? AND seq >= ? AND json_valid(payload)) AS events,
         (SELECT count(*) FROM messages WHERE session_id = ? AND position >= ? AND json_valid(message)) AS messages`,
      sessionId,
      from.seq,
      sessionId,
      from.position,
    ),
  );
  return found?.events === last.seq - from.seq && found.messages === last.position - from.position;
}

function nextExchange(sql: Sql, sessionId: string, seq: number): BranchPoint | null {
  const row = parseRow(
    TurnRow,
    sql.get(
      `SELECT e.turn_id FROM events e WHERE e.session_id = ? AND e.type = 'turn.started' AND e.seq > ?
         AND ${NOT_VOIDED} AND coalesce(e.payload ->> '$.kind', 'message') = 'message' ORDER BY e.seq LIMIT 1`,
      sessionId,
      seq,
    ),
  );
  return row && turnStart(sql, sessionId, row.turn_id);
}

function plansBefore(sql: Sql, sessionId: string, seq: number): Plan[] {
  const rows = sql.all(
    `SELECT e.payload FROM events e WHERE e.session_id = ? AND e.type = 'plan.changed' AND e.seq < ?
       AND ${NOT_VOIDED} ORDER BY e.seq`,
    sessionId,
    seq,
  );
  const plans = parseRows(PlanChanged, rows).items.map(({ payload }) => payload.plan);
  return [...new Map(plans.map((plan) => [plan.planId, plan])).values()];
}

/** Pictures that a tool read come behind the results as a message of the harness: see `image/read-images`. */
const READ_IMAGES = `message -> '$.images' IS NOT NULL AND message ->> '$.content' LIKE '<system-reminder>%'`;

/** Where turns, messages and results lie in the rows of a session. */
export function createBranchPoints(sql: Sql): BranchPoints {
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
    nextExchange: (sessionId, seq) => nextExchange(sql, sessionId, seq),
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
          `SELECT e.seq FROM events e WHERE e.session_id = ? AND e.turn_id = ? AND ${NOT_VOIDED}
             AND e.seq >= (SELECT min(s.seq) FROM events s
               WHERE s.session_id = e.session_id AND s.type = 'turn.started' AND s.turn_id = e.turn_id)
             AND e.type IN ('turn.started', 'step.started', 'interjection') AND e.payload ->> '$.messageId' = ?
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
             AND message ->> '$.role' <> 'tool' AND NOT (${READ_IMAGES})`,
          sessionId,
          position,
        ),
      );
      return row?.position ?? end(sql, sessionId).position;
    },
    hasRewinds: (sessionId) =>
      sql.get('SELECT 1 AS one FROM rewinds WHERE session_id = ? LIMIT 1', sessionId) !== undefined,
    turnsFrom: (sessionId, seq) =>
      parseRows(
        StartRow,
        sql.all(
          `SELECT e.turn_id, e.seq, coalesce(e.payload ->> '$.kind', 'message') AS kind, (${NOT_VOIDED}) AS active
           FROM events e WHERE e.session_id = ? AND e.seq >= ? AND e.type = 'turn.started' ORDER BY e.seq`,
          sessionId,
          seq,
        ),
      ).items,
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
    plansBefore: (sessionId, seq) => plansBefore(sql, sessionId, seq),
  };
}
