import { z } from 'zod';
import { searchTerms, spaced, type SearchTerm } from './search-query';
import { parseRow, parseRows, type Sql } from './sql';

/** Who put a note down: the agent by its tool, or the flush before a summary. */
export type NoteSource = 'agent' | 'flush';

export interface MemoryNote {
  id: number;
  projectId: string;
  sessionId: string | null;
  source: NoteSource;
  /** Epoch milliseconds. */
  at: number;
  text: string;
}

export interface MemoryStore {
  /** Keeps a note; one with the same text in the same project counts as the same note and becomes new again. */
  add(note: Omit<MemoryNote, 'id'>): MemoryNote;
  get(projectId: string, id: number): MemoryNote | null;
  /** Notes that hold at least one term, best first. Any text is a valid query. */
  find(projectId: string, query: string, limit: number): MemoryNote[];
}

const Row = z
  .object({
    id: z.int(),
    project_id: z.string(),
    session_id: z.string().nullable(),
    source: z.enum(['agent', 'flush']),
    at: z.int(),
    text: z.string(),
  })
  .transform((row): MemoryNote => ({
    id: row.id,
    projectId: row.project_id,
    sessionId: row.session_id,
    source: row.source,
    at: row.at,
    text: row.text,
  }));

const COLUMNS = 'id, project_id, session_id, source, at, memory_notes.text AS text';

/** Any of the terms: a question seldom holds the very words of its answer. */
const anyOf = (terms: readonly SearchTerm[]): string =>
  terms.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`).join(' OR ');

export function createMemoryStore(sql: Sql): MemoryStore {
  return {
    add: ({ projectId, sessionId, source, at, text }) =>
      sql.transaction(() => {
        const row = sql.get(
          `INSERT INTO memory_notes (project_id, session_id, source, at, text) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (project_id, text) DO UPDATE SET at = excluded.at, session_id = excluded.session_id
           RETURNING ${COLUMNS}`,
          projectId,
          sessionId,
          source,
          at,
          text,
        );
        const note = Row.parse(row);
        sql.run('DELETE FROM memory_search WHERE rowid = ?', note.id);
        sql.run('INSERT INTO memory_search (rowid, text) VALUES (?, ?)', note.id, spaced(text));
        return note;
      }),
    get: (projectId, id) =>
      parseRow(
        Row,
        sql.get(`SELECT ${COLUMNS} FROM memory_notes WHERE project_id = ? AND id = ?`, projectId, id),
      ),
    find: (projectId, query, limit) => {
      const terms = searchTerms(query);
      if (terms.length === 0) return [];
      const rows = sql.all(
        `SELECT ${COLUMNS} FROM memory_search JOIN memory_notes ON id = memory_search.rowid
         WHERE memory_search MATCH ? AND project_id = ? ORDER BY bm25(memory_search), at DESC LIMIT ?`,
        anyOf(terms),
        projectId,
        limit,
      );
      return parseRows(Row, rows).items;
    },
  };
}
