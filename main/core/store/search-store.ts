import { z } from 'zod';
import type { ModelMessage } from '../model/port';
import { saidText } from './said-text';
import { matchExpression, searchTerms, spaced } from './search-query';
import { snippetOf, type Snippet } from './search-snippet';
import { fromJson, parseRow, parseRows, type Sql } from './sql';
import { ModelMessageSchema } from './stored-message';

/** Characters of one message that are searchable; the rest of a huge tool result is not worth its index. */
const INDEXED_CHARS = 64_000;
/** Matches that are looked at, newest first; enough to fill any list. */
const MAX_MATCHES = 2_000;
/** One step of indexing what was there before: short enough that nobody waits for the write lock. */
const SLICE_MESSAGES = 200;
const SLICE_CHARS = 500_000;
/** One step of indexing what is new: done on the thread of the window's answers, so about a millisecond or two. */
const NEW_MESSAGES = 20;
const NEW_CHARS = 50_000;

export interface SearchHit extends Snippet {
  position: number;
  role: 'user' | 'assistant' | 'tool';
  /** Epoch milliseconds. */
  at: number;
}

export interface SessionHits {
  sessionId: string;
  /** The newest ones, at most as many as asked for. */
  hits: SearchHit[];
  /** All matches that were looked at. */
  count: number;
}

export interface SearchOptions {
  projectId: string | null;
  sessions: number;
  hitsPerSession: number;
}

export interface SearchStore {
  /** Sessions with messages that hold every term, newest match first. Any text is a valid query. */
  find(query: string, options: SearchOptions): SessionHits[];
  /**
   * Takes a few of the messages in that were stored since; false when nothing is left. They are stored without it, since a
   * turn waits for that; {@link find} takes in all of them first. Safe from several processes.
   */
  indexNew(): boolean;
  /** True while messages from before the index, of forks or of imports are not in it yet. */
  pending(): boolean;
  /** Indexes a few of them, newest sessions first; false when nothing is left. Safe from several processes. */
  backfill(): boolean;
}

/** What of a message people search: its text, and what a call was asked to do. */
function searchable(message: ModelMessage): string {
  const calls = message.role === 'assistant' ? (message.calls ?? []) : [];
  const said = message.role === 'user' ? saidText(message.content) : message.content;
  const text = [said, ...calls.map((call) => `${call.name} ${call.arguments}`)].join('\n');
  return text.slice(0, INDEXED_CHARS);
}

const Id = z.object({ id: z.int() });

const Unindexed = z.object({ id: z.string(), indexed_position: z.int(), last_position: z.int() });
const Waiting = z.object({
  position: z.int(),
  message: z.string().transform((text) => z.safeParse(ModelMessageSchema, fromJson(text)).data ?? null),
});

function indexMessage(sql: Sql, sessionId: string, position: number, message: ModelMessage): number {
  const text = spaced(searchable(message));
  if (text.trim() === '') return 0;
  const row = sql.get(
    'INSERT INTO search_docs (session_id, position) VALUES (?, ?) RETURNING id',
    sessionId,
    position,
  );
  sql.run('INSERT INTO message_search (rowid, text) VALUES (?, ?)', Id.parse(row).id, text);
  return text.length;
}

/** One step through what a session has that is newer than the index. */
function indexNewer(sql: Sql, session: z.output<typeof Unindexed>): void {
  const rows = sql.all(
    `SELECT position, message FROM messages WHERE session_id = ? AND position > ? AND voided_by IS NULL
     ORDER BY position LIMIT ?`,
    session.id,
    session.indexed_position,
    NEW_MESSAGES,
  );
  let chars = 0;
  let indexed = rows.length < NEW_MESSAGES ? session.last_position : session.indexed_position;
  for (const { position, message } of parseRows(Waiting, rows).items) {
    if (message !== null) chars += indexMessage(sql, session.id, position, message);
    indexed = Math.max(indexed, position);
    if (chars < NEW_CHARS) continue;
    indexed = position;
    break;
  }
  sql.run('UPDATE sessions SET indexed_position = ? WHERE id = ?', indexed, session.id);
}

function indexNew(sql: Sql): boolean {
  const next = (): z.output<typeof Unindexed> | null =>
    parseRow(
      Unindexed,
      sql.get(
        `SELECT id, indexed_position, last_position FROM sessions
         WHERE indexed_position < last_position AND is_hidden = 0 ORDER BY updated_at LIMIT 1`,
      ),
    );
  if (next() === null) return false;
  return sql.transaction(() => {
    const session = next();
    if (session !== null) indexNewer(sql, session);
    return session !== null;
  });
}

/** Takes messages from a position on out of the index. */
export function unindexMessages(sql: Sql, sessionId: string, position: number): void {
  sql.run('DELETE FROM search_docs WHERE session_id = ? AND position >= ?', sessionId, position);
  sql.run(
    'UPDATE search_pending SET next_position = min(next_position, ?) WHERE session_id = ?',
    position - 1,
    sessionId,
  );
}

const Match = z.object({ session_id: z.string(), position: z.int() });

function matches(sql: Sql, expression: string, projectId: string | null): z.output<typeof Match>[] {
  const inProject = projectId === null ? '' : 'AND s.project_id = ?';
  const rows = sql.all(
    `SELECT d.session_id, d.position FROM message_search
       JOIN search_docs d ON d.id = message_search.rowid
       JOIN sessions s ON s.id = d.session_id
     WHERE message_search MATCH ? AND s.is_hidden = 0 ${inProject}
     ORDER BY message_search.rowid DESC LIMIT ?`,
    expression,
    ...(projectId === null ? [] : [projectId]),
    MAX_MATCHES,
  );
  return parseRows(Match, rows).items;
}

const HitRow = z.object({
  at: z.int(),
  message: z.string().transform(fromJson).pipe(ModelMessageSchema),
});

type Terms = ReturnType<typeof searchTerms>;

function hitAt(sql: Sql, sessionId: string, position: number, terms: Terms): SearchHit[] {
  const row = parseRow(
    HitRow,
    sql.get('SELECT at, message FROM messages WHERE session_id = ? AND position = ?', sessionId, position),
  );
  if (!row || row.message.role === 'system') return [];
  return [{ position, at: row.at, role: row.message.role, ...snippetOf(searchable(row.message), terms) }];
}

function find(sql: Sql, query: string, options: SearchOptions): SessionHits[] {
  const terms = searchTerms(query);
  if (terms.length === 0) return [];
  while (indexNew(sql));
  const groups = Map.groupBy(
    matches(sql, matchExpression(terms), options.projectId),
    (row) => row.session_id,
  );
  return [...groups].slice(0, options.sessions).map(([sessionId, rows]) => ({
    sessionId,
    count: rows.length,
    hits: rows
      .slice(0, options.hitsPerSession)
      .flatMap(({ position }) => hitAt(sql, sessionId, position, terms)),
  }));
}

const Pending = z.object({ session_id: z.string(), next_position: z.int() });
/** Old messages get falling numbers below zero, so that the newest match is still the one with the highest number. */
function indexOlder(sql: Sql, sessionId: string, from: number): number {
  const rows = sql.all(
    `SELECT position, message FROM messages m WHERE session_id = ? AND position <= ? AND voided_by IS NULL
       AND NOT EXISTS (SELECT 1 FROM search_docs d WHERE d.session_id = m.session_id AND d.position = m.position)
     ORDER BY position DESC LIMIT ?`,
    sessionId,
    from,
    SLICE_MESSAGES,
  );
  let id = Math.min(0, parseRow(Id, sql.get('SELECT coalesce(min(id), 0) AS id FROM search_docs'))?.id ?? 0);
  let chars = 0;
  for (const { position, message } of parseRows(Waiting, rows).items) {
    const text = message === null ? '' : spaced(searchable(message));
    id -= 1;
    sql.run('INSERT INTO search_docs (id, session_id, position) VALUES (?, ?, ?)', id, sessionId, position);
    sql.run('INSERT INTO message_search (rowid, text) VALUES (?, ?)', id, text);
    chars += text.length;
    if (chars > SLICE_CHARS) return position - 1;
  }
  return rows.length < SLICE_MESSAGES
    ? 0
    : (parseRows(Match.pick({ position: true }), rows).items.at(-1)?.position ?? 1) - 1;
}

function backfill(sql: Sql): boolean {
  return sql.transaction(() => {
    const next = parseRow(
      Pending,
      sql.get(
        `SELECT p.session_id, p.next_position FROM search_pending p JOIN sessions s ON s.id = p.session_id
         ORDER BY s.updated_at DESC LIMIT 1`,
      ),
    );
    if (!next) return false;
    const rest = indexOlder(sql, next.session_id, next.next_position);
    if (rest > 0)
      sql.run('UPDATE search_pending SET next_position = ? WHERE session_id = ?', rest, next.session_id);
    else sql.run('DELETE FROM search_pending WHERE session_id = ?', next.session_id);
    return true;
  });
}

/** The words of all messages, over all projects. */
export function createSearchStore(sql: Sql): SearchStore {
  return {
    find: (query, options) => find(sql, query, options),
    indexNew: () => indexNew(sql),
    pending: () => sql.get('SELECT 1 AS one FROM search_pending LIMIT 1') !== undefined,
    backfill: () => backfill(sql),
  };
}
