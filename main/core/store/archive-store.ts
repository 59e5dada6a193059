import type { TurnEvent, TurnEventPayload } from '../../../shared/model/turn-event';
import type { SessionId, TurnId } from '../../../shared/model/ids';
import type { Mode } from '../../../shared/model/mode';
import type { CompactionRecord, ItemMark } from '../context/records';
import type { ModelMessage } from '../model/port';
import { createBranchStore } from './branch-store';
import { createContextStore } from './context-store';
import { createEventStore } from './event-store';
import { recordEvent } from './event-records';
import { createProjectStore } from './project-store';
import { createRecordingStore } from './recording-store';
import { createSearchStore } from './search-store';
import { createSessionStore } from './session-store';
import { Sql } from './sql';
import type { Store } from './types';
import { createWindowStore } from './window-store';

/** A session that is being brought in from outside; no list shows it until `finish`. */
export interface NewArchive {
  id: string;
  projectId: string;
  projectPath: string;
  title: string;
  titleBy: 'message' | 'user';
  mode: Mode;
  model: string | null;
  agent: string | null;
  /** Whose log it comes from, and its id there: the same one is not brought in twice. */
  origin: string;
  originId: string | null;
  lastFact: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

export interface ArchivedEvent {
  turnId: string;
  at: number;
  payload: TurnEventPayload;
}

export interface ArchivedMessage {
  id: string;
  turnId: string;
  at: number;
  message: ModelMessage;
}

/** Brings whole sessions into the store. Each call is one short transaction; what was begun and not finished goes. */
export interface ArchiveStore {
  /** @throws AppError `conflict` when this session of another tool is there already */
  begin(session: NewArchive): void;
  addEvents(sessionId: string, firstSeq: number, events: readonly ArchivedEvent[]): void;
  addMessages(sessionId: string, firstPosition: number, messages: readonly ArchivedMessage[]): void;
  addContext(
    sessionId: string,
    compactions: readonly CompactionRecord[],
    marks: ReadonlyMap<string, ItemMark>,
  ): void;
  /** Shows the session and queues its messages for the search. */
  finish(session: NewArchive): void;
}

function begin(sql: Sql, session: NewArchive): void {
  sql.run(
    `INSERT INTO sessions (id, project_id, project_path, title, title_by, mode, model, agent, origin, origin_id, last_fact,
       is_hidden, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
    session.id,
    session.projectId,
    session.projectPath,
    session.title,
    session.titleBy,
    session.mode,
    session.model,
    session.agent,
    session.origin,
    session.originId,
    session.lastFact,
    // What is never finished is found by its age.
    Date.now(),
    session.updatedAt,
  );
}

function addEvent(sql: Sql, sessionId: string, seq: number, { turnId, at, payload }: ArchivedEvent): void {
  sql.run(
    'INSERT INTO events (session_id, seq, turn_id, at, type, payload) VALUES (?, ?, ?, ?, ?, ?)',
    sessionId,
    seq,
    turnId,
    at,
    payload.type,
    JSON.stringify(payload),
  );
  // Of the audit tables only what was spent is about the session rather than about this installation.
  if (payload.type !== 'usage') return;
  const event: TurnEvent = {
    seq,
    at,
    sessionId: sessionId as SessionId,
    turnId: turnId as TurnId,
    ...payload,
  };
  recordEvent(sql, event);
}

function addMessage(sql: Sql, sessionId: string, position: number, row: ArchivedMessage): void {
  sql.run(
    'INSERT INTO messages (session_id, position, id, turn_id, at, message) VALUES (?, ?, ?, ?, ?, ?)',
    sessionId,
    position,
    row.id,
    row.turnId,
    row.at,
    JSON.stringify(row.message),
  );
}

function finish(sql: Sql, session: NewArchive): void {
  sql.transaction(() => {
    sql.run(
      `UPDATE sessions SET is_hidden = 0, created_at = ?, updated_at = ?, title = ?, title_by = ?,
         last_seq = (SELECT coalesce(max(seq), 0) FROM events WHERE session_id = sessions.id),
         last_position = (SELECT coalesce(max(position), 0) FROM messages WHERE session_id = sessions.id),
         indexed_position = (SELECT coalesce(max(position), 0) FROM messages WHERE session_id = sessions.id)
       WHERE id = ?`,
      session.createdAt,
      session.updatedAt,
      session.title,
      session.titleBy,
      session.id,
    );
    sql.run(
      `INSERT INTO search_pending (session_id, next_position)
       SELECT id, last_position FROM sessions WHERE id = ? AND last_position > 0`,
      session.id,
    );
  });
}

export function createArchiveStore(sql: Sql): ArchiveStore {
  return {
    begin: (session) => begin(sql, session),
    addEvents: (sessionId, firstSeq, events) =>
      sql.transaction(() => {
        events.forEach((event, i) => addEvent(sql, sessionId, firstSeq + i, event));
        sql.run('UPDATE sessions SET last_seq = ? WHERE id = ?', firstSeq + events.length - 1, sessionId);
      }),
    addMessages: (sessionId, firstPosition, messages) =>
      sql.transaction(() => {
        messages.forEach((row, i) => addMessage(sql, sessionId, firstPosition + i, row));
        const last = firstPosition + messages.length - 1;
        const spoken = messages.filter(({ message: { role } }) => role === 'user' || role === 'assistant');
        sql.run(
          'UPDATE sessions SET last_position = ?, message_count = message_count + ? WHERE id = ?',
          last,
          spoken.length,
          sessionId,
        );
      }),
    addContext: (sessionId, compactions, marks) =>
      sql.transaction(() => {
        const context = createContextStore(sql);
        for (const record of compactions) context.addCompaction({ ...record, sessionId });
        for (const [item, mark] of marks) context.setMark(sessionId, item, mark);
      }),
    finish: (session) => finish(sql, session),
  };
}

/** What reading and writing whole sessions needs of the store. */
export type ArchiveStores = Pick<
  Store,
  'projects' | 'sessions' | 'events' | 'branches' | 'windows' | 'search' | 'context' | 'recordings'
> & { readonly archive: ArchiveStore };

/** A connection of its own to a store that is open already: for worker threads. Close it. */
export function connectArchive(path: string): ArchiveStores & { close(): void } {
  const sql = Sql.open(path);
  return {
    projects: createProjectStore(sql),
    sessions: createSessionStore(sql),
    events: createEventStore(sql),
    branches: createBranchStore(sql),
    windows: createWindowStore(sql),
    search: createSearchStore(sql),
    context: createContextStore(sql),
    recordings: createRecordingStore(sql),
    archive: createArchiveStore(sql),
    close: () => sql.close(),
  };
}
