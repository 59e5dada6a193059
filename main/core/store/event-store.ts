import { z } from 'zod';
import { AppError } from '../../../shared/error';
import type { ChangeSet } from '../../../shared/model/change';
import { type SessionId, type TurnId } from '../../../shared/model/ids';
import { SessionView } from '../../../shared/model/session-view';
import { type TurnEventPayload, type TurnEvent } from '../../../shared/model/turn-event';
import type { ModelMessage } from '../model/port';
import { insertChangeSet } from './change-store';
import { recordEvent } from './event-records';
import { EventRow } from './event-row';
import { fromJson, parseRow, parseRows, type Sql } from './sql';
import { StoredMessageRow } from './stored-message';
import { createCommandStore } from './running-command-store';
import { addRecording } from './recording-store';
import { StagedChanges } from './staged-changes';
import type { AppendExtras, EventStore } from './types';

type NewMessages = readonly { id: string; message: ModelMessage }[];

const ViewRow = z
  .object({ view: z.string().transform(fromJson).pipe(SessionView) })
  .transform((row) => row.view);
const Counters = z.object({ last_seq: z.int(), last_position: z.int() });
const Reserved = Counters.extend({ updated_at: z.int() });

function missing(sessionId: string): AppError {
  return new AppError('not_found', 'This session was deleted, so nothing can be added to it.', {
    hint: 'Start a new session.',
    detail: { id: sessionId },
  });
}

/** What a person would call a message: tool results are parts of an answer. */
const countsAsMessage = ({ message }: NewMessages[number]): boolean =>
  message.role === 'user' || message.role === 'assistant';

/** How old the time of a session's last change may become while its turn goes on. */
const TOUCH_MS = 250;

/**
 * Reserves numbers for new events and messages; the session's row is their only counter, for every process. The time of
 * the last change stands in two indexes, so it is written when somebody spoke, and else once in a while.
 */
function reserve(sql: Sql, sessionId: string, events: number, messages: NewMessages, at: number) {
  const row = sql.get(
    `UPDATE sessions SET last_seq = last_seq + ?, last_position = last_position + ?,
       message_count = message_count + ?
     WHERE id = ? RETURNING last_seq, last_position, updated_at`,
    events,
    messages.length,
    messages.filter(countsAsMessage).length,
    sessionId,
  );
  if (row === undefined) throw missing(sessionId);
  const { last_seq, last_position, updated_at } = Reserved.parse(row);
  if (
    at - updated_at > TOUCH_MS ||
    (at > updated_at && messages.some(({ message }) => message.role === 'user'))
  )
    sql.run('UPDATE sessions SET updated_at = ? WHERE id = ?', at, sessionId);
  return { firstSeq: last_seq - events + 1, firstPosition: last_position - messages.length + 1 };
}

function insertMessages(
  sql: Sql,
  sessionId: string,
  turnId: string,
  messages: NewMessages,
  firstPosition: number,
  at: number,
): void {
  messages.forEach(({ id, message }, index) => {
    sql.run(
      'INSERT INTO messages (session_id, position, id, turn_id, at, message) VALUES (?, ?, ?, ?, ?, ?)',
      sessionId,
      firstPosition + index,
      id,
      turnId,
      at,
      JSON.stringify(message),
    );
  });
}

function insertEvent(sql: Sql, event: TurnEvent, payload: TurnEventPayload): void {
  sql.run(
    'INSERT INTO events (session_id, seq, turn_id, at, type, payload) VALUES (?, ?, ?, ?, ?, ?)',
    event.sessionId,
    event.seq,
    event.turnId,
    event.at,
    event.type,
    JSON.stringify(payload),
  );
  recordEvent(sql, event);
}

type CallEvent = Extract<TurnEvent, { type: 'call.state' }>;

const FINAL = new Set(['success', 'error', 'denied', 'cancelled']);
const isCallState = (event: TurnEvent): event is CallEvent => event.type === 'call.state';

/** What the change log has waiting for a call's start or end. @returns entries that were made */
function insertStaged(sql: Sql, event: CallEvent, staged: StagedChanges): ChangeSet[] {
  const { sessionId, callId, state, at } = event;
  const commands = createCommandStore(sql);
  const start = state === 'running' ? staged.startOf(sessionId, callId) : null;
  if (start !== null) commands.begin(start.projectId, start.command);
  if (!FINAL.has(state)) return [];
  const ended = staged.endOf(sessionId, callId);
  if (ended !== null) commands.end(ended);
  return staged
    .of(sessionId, callId)
    .map(({ projectId, set }) => insertChangeSet(sql, projectId, { at, ...set }));
}

/** The transaction holds. */
function announce({ sessionId, callId, state }: CallEvent, sets: ChangeSet[], staged: StagedChanges): void {
  if (state === 'running') staged.started(sessionId, callId);
  if (FINAL.has(state)) staged.stored(sessionId, callId, sets);
}

function append(
  sql: Sql,
  staged: StagedChanges,
  ids: { sessionId: string; turnId: string },
  payloads: readonly TurnEventPayload[],
  messages: NewMessages,
  { at = Date.now(), tape = '' }: AppendExtras = {},
): TurnEvent[] {
  if (payloads.length === 0 && messages.length === 0) return [];
  const sessionId = ids.sessionId as SessionId;
  const turnId = ids.turnId as TurnId;
  const stored: { event: CallEvent; sets: ChangeSet[] }[] = [];
  const appended = sql.transaction(() => {
    const { firstSeq, firstPosition } = reserve(sql, sessionId, payloads.length, messages, at);
    const events = payloads.map((payload, index) => {
      const event: TurnEvent = { seq: firstSeq + index, at, sessionId, turnId, ...payload };
      insertEvent(sql, event, payload);
      return event;
    });
    insertMessages(sql, sessionId, turnId, messages, firstPosition, at);
    if (tape !== '') addRecording(sql, sessionId, tape);
    for (const event of events.filter(isCallState))
      stored.push({ event, sets: insertStaged(sql, event, staged) });
    return events;
  });
  for (const { event, sets } of stored) announce(event, sets, staged);
  return appended;
}

/** The event log and the model's history of each session. */
export function createEventStore(sql: Sql, staged = new StagedChanges()): EventStore {
  return {
    append: (sessionId, turnId, payloads, messages = [], extras = {}) =>
      append(sql, staged, { sessionId, turnId }, payloads, messages, extras),
    addMessages: (sessionId, turnId, messages) => {
      append(sql, staged, { sessionId, turnId }, [], messages);
    },
    lastSeq: (sessionId) =>
      parseRow(Counters, sql.get('SELECT last_seq, last_position FROM sessions WHERE id = ?', sessionId))
        ?.last_seq ?? 0,
    after: (sessionId, after, limit) => {
      const { items, unreadable } = parseRows(
        EventRow,
        sql.all(
          `SELECT session_id, seq, turn_id, at, payload FROM events
           WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
          sessionId,
          after,
          limit ?? -1,
        ),
      );
      return { events: items, unreadable };
    },
    messages: (sessionId, after = 0, limit = -1) => {
      const { items, unreadable } = parseRows(
        StoredMessageRow,
        sql.all(
          `SELECT session_id, position, id, turn_id, at, message FROM messages
           WHERE session_id = ? AND position > ? AND voided_by IS NULL ORDER BY position LIMIT ?`,
          sessionId,
          after,
          limit,
        ),
      );
      return { messages: items, unreadable };
    },
    replaceMessage: (sessionId, id, message) => {
      const text = JSON.stringify(message);
      const { changes } = sql.run(
        'UPDATE messages SET message = ? WHERE session_id = ? AND id = ?',
        text,
        sessionId,
        id,
      );
      if (changes === 0) {
        throw new AppError('not_found', 'The message to replace does not exist.', {
          audience: 'log',
          detail: { sessionId, id },
        });
      }
    },
    saveView: (sessionId, view) => {
      sql.run(
        `INSERT INTO views (session_id, seq, view) VALUES (?, ?, ?)
         ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, view = excluded.view WHERE excluded.seq >= views.seq`,
        sessionId,
        view.seq,
        JSON.stringify(view),
      );
    },
    loadView: (sessionId) =>
      parseRow(ViewRow, sql.get('SELECT view FROM views WHERE session_id = ?', sessionId)),
  };
}
