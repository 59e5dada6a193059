import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { SessionSummary } from '../../../shared/model/session';
import { parseRow, parseRows, type Sql } from './sql';
import type { SessionStore } from './types';

const Row = z
  .object({
    id: z.string(),
    project_id: z.string(),
    project_path: z.string(),
    title: z.string(),
    mode: z.string(),
    model: z.string().nullable(),
    activity: z.string(),
    last_fact: z.string(),
    message_count: z.int(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .transform((row) => ({
    id: row.id,
    projectId: row.project_id,
    projectPath: row.project_path,
    title: row.title,
    mode: row.mode,
    model: row.model,
    activity: row.activity,
    lastFact: row.last_fact,
    messageCount: row.message_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
  .pipe(SessionSummary);

const COLUMNS =
  'id, project_id, project_path, title, mode, model, activity, last_fact, message_count, created_at, updated_at';
const NEWEST_FIRST = 'ORDER BY updated_at DESC, rowid DESC';
const DEFAULT_LIMIT = 500;

type Change = Parameters<SessionStore['update']>[1];

function missing(id: string): AppError {
  return new AppError('not_found', 'This session does not exist any more.', {
    hint: 'Pick another one from the list, or start a new one.',
    detail: { id },
  });
}

function list(sql: Sql, filter: Parameters<SessionStore['list']>[0]): SessionSummary[] {
  const conditions: string[] = [];
  const params: (string | number)[] = [];
  if (filter.projectId !== null) {
    conditions.push('project_id = ?');
    params.push(filter.projectId);
  }
  const query = filter.query?.trim() ?? '';
  if (query !== '') {
    conditions.push('instr(fold(title), ?) > 0');
    params.push(query.toLocaleLowerCase());
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT ${COLUMNS} FROM sessions ${where} ${NEWEST_FIRST} LIMIT ?`;
  return parseRows(Row, sql.all(text, ...params, filter.limit ?? DEFAULT_LIMIT)).items;
}

/** A new title, mode or model is no news of the session: only activity and facts move it up in lists. */
function write(sql: Sql, id: string, change: Change): void {
  const isNews = change.activity !== undefined || change.lastFact !== undefined;
  const { changes } = sql.run(
    `UPDATE sessions SET title = coalesce(?, title), mode = coalesce(?, mode),
       model = CASE WHEN ? THEN ? ELSE model END, activity = coalesce(?, activity),
       last_fact = coalesce(?, last_fact), updated_at = CASE WHEN ? THEN ? ELSE updated_at END WHERE id = ?`,
    change.title ?? null,
    change.mode ?? null,
    change.model === undefined ? 0 : 1,
    change.model ?? null,
    change.activity ?? null,
    change.lastFact ?? null,
    isNews ? 1 : 0,
    Date.now(),
    id,
  );
  if (changes === 0) throw missing(id);
}

/** Sessions as lists show them. Rows that can't be read are left out of lists and `null` from `get`. */
export function createSessionStore(sql: Sql): SessionStore {
  const get = (id: string): SessionSummary | null =>
    parseRow(Row, sql.get(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id));
  const mustGet = (id: string): SessionSummary => {
    const found = get(id);
    if (!found) throw missing(id);
    return found;
  };
  return {
    get,
    list: (filter) => list(sql, filter),
    create: (row) => {
      const now = Date.now();
      sql.run(
        `INSERT INTO sessions (id, project_id, project_path, title, mode, model, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        row.id,
        row.projectId,
        row.projectPath,
        row.title,
        row.mode,
        row.model,
        now,
        now,
      );
      return mustGet(row.id);
    },
    update: (id, change) => {
      write(sql, id, change);
      return mustGet(id);
    },
    remove: (id) => {
      sql.run('DELETE FROM sessions WHERE id = ?', id);
    },
    unfinished: () =>
      parseRows(
        Row,
        sql.all(`SELECT ${COLUMNS} FROM sessions WHERE activity IN ('running', 'waiting') ${NEWEST_FIRST}`),
      ).items,
  };
}
