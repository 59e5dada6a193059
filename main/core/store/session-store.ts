import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { SessionSummary } from '../../../shared/model/session';
import { parseRow, parseRows, type Sql } from './sql';
import type { SessionStore, SessionUpdate } from './types';

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
    agent: z.string().nullable(),
    parent_id: z.string().nullable(),
    parent_call_id: z.string().nullable(),
    max_steps: z.int().nullable(),
    cost_micros: z.int(),
    spent_tokens: z.int(),
    budget_micros: z.int().nullable(),
    budget_tokens: z.int().nullable(),
    origin: z.string().nullable(),
    forked_from: z.string().nullable(),
  })
  .transform((row): Record<string, unknown> => ({
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
    agent: row.agent,
    parentId: row.parent_id,
    parentCallId: row.parent_call_id,
    maxSteps: row.max_steps,
    costMicros: row.cost_micros,
    spentTokens: row.spent_tokens,
    budgetMicros: row.budget_micros,
    budgetTokens: row.budget_tokens,
    origin: row.origin ?? undefined,
    forkedFrom: row.forked_from ?? undefined,
  }))
  .pipe(SessionSummary);

const COLUMNS =
  'id, project_id, project_path, title, mode, model, activity, last_fact, message_count, created_at, updated_at, ' +
  'agent, parent_id, parent_call_id, max_steps, cost_micros, spent_tokens, budget_micros, budget_tokens, ' +
  'origin, forked_from';
const NEWEST_FIRST = 'ORDER BY updated_at DESC, rowid DESC';
const DEFAULT_LIMIT = 500;
/** The last fact of a subagent that waits for a free place. */
export const QUEUED_FACT = 'queued';
const Spending = z.object({ micros: z.int(), tokens: z.int() });

/** Sessions whose row was read lately; more are never in use at once. */
const MAX_KNOWN_ROWS = 64;

/**
 * Reads one session's row. A turn asks for its session a dozen times a step: the row is read each time, as another process
 * may have changed it, but taken apart only when it is another one than before.
 */
class SessionRows {
  private readonly known = new Map<string, KnownRow>();

  constructor(private readonly sql: Sql) {}

  get(id: string): SessionSummary | null {
    const found = this.sql.get(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, id);
    const known = this.known.get(id);
    const again = known === undefined ? null : sameBut(known, found);
    if (known !== undefined && again === known.summary) return again;
    const summary = again ?? parseRow(Row, found);
    this.known.delete(id);
    if (summary === null) return null;
    this.known.set(id, { row: found as Record<string, unknown>, summary: Object.freeze(summary) });
    for (const [oldest] of this.known) {
      if (this.known.size <= MAX_KNOWN_ROWS) break;
      this.known.delete(oldest);
    }
    return summary;
  }
}

interface KnownRow {
  row: Readonly<Record<string, unknown>>;
  summary: SessionSummary;
}

/** Columns that each step of a turn changes; all of them numbers. */
const COUNTERS = {
  message_count: 'messageCount',
  updated_at: 'updatedAt',
  cost_micros: 'costMicros',
  spent_tokens: 'spentTokens',
} as const;

const isCounter = (column: string): column is keyof typeof COUNTERS => column in COUNTERS;

/** The summary of a row of which nothing but counters is new; null when it has to be parsed. */
function sameBut({ row, summary }: KnownRow, found: unknown): SessionSummary | null {
  if (typeof found !== 'object' || found === null) return null;
  let now = summary;
  for (const [column, value] of Object.entries(found)) {
    if (value === row[column]) continue;
    if (!isCounter(column) || !Number.isSafeInteger(value)) return null;
    now = { ...now, [COUNTERS[column]]: value as number };
  }
  return now;
}

const TitleBy = z.object({ title_by: z.enum(['message', 'model', 'user']) });

function missing(id: string): AppError {
  return new AppError('not_found', 'This session does not exist any more.', {
    hint: 'Pick another one from the list, or start a new one.',
    detail: { id },
  });
}

function list(sql: Sql, filter: Parameters<SessionStore['list']>[0]): SessionSummary[] {
  const conditions: string[] = ['is_hidden = 0'];
  const params: (string | number)[] = [];
  if (filter.projectId !== null) {
    conditions.push('project_id = ?');
    params.push(filter.projectId);
  }
  if (filter.children === undefined || filter.children === false) conditions.push('parent_id IS NULL');
  else if (filter.children !== true) {
    conditions.push('parent_id = ?');
    params.push(filter.children.of);
  }
  const query = filter.query?.trim() ?? '';
  if (query !== '') {
    conditions.push('instr(fold(title), ?) > 0');
    params.push(query.toLocaleLowerCase());
  }
  const text = `SELECT ${COLUMNS} FROM sessions WHERE ${conditions.join(' AND ')} ${NEWEST_FIRST} LIMIT ?`;
  return parseRows(Row, sql.all(text, ...params, filter.limit ?? DEFAULT_LIMIT)).items;
}

const COLUMN_OF: Readonly<Record<keyof SessionUpdate, string>> = {
  title: 'title',
  titleBy: 'title_by',
  mode: 'mode',
  agent: 'agent',
  model: 'model',
  activity: 'activity',
  lastFact: 'last_fact',
  budgetMicros: 'budget_micros',
  budgetTokens: 'budget_tokens',
};

/** A new title, mode or model is no news of the session: only activity and facts move it up in lists. */
function write(sql: Sql, id: string, change: SessionUpdate): void {
  const isNews = change.activity !== undefined || change.lastFact !== undefined;
  const given = (Object.keys(COLUMN_OF) as (keyof SessionUpdate)[]).filter(
    (key) => change[key] !== undefined,
  );
  const sets = given.map((key) => `${COLUMN_OF[key]} = ?`);
  const { changes } = sql.run(
    `UPDATE sessions SET ${[...sets, 'updated_at = CASE WHEN ? THEN ? ELSE updated_at END'].join(', ')} WHERE id = ?`,
    ...given.map((key) => change[key] ?? null),
    isNews ? 1 : 0,
    Date.now(),
    id,
  );
  if (changes === 0) throw missing(id);
}

/** Sessions as lists show them. Rows that can't be read are left out of lists and `null` from `get`. */
export function createSessionStore(sql: Sql): SessionStore {
  const rows = new SessionRows(sql);
  const get = (id: string): SessionSummary | null => rows.get(id);
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
        `INSERT INTO sessions (id, project_id, project_path, title, mode, model, agent, parent_id, parent_call_id,
           max_steps, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        row.id,
        row.projectId,
        row.projectPath,
        row.title,
        row.mode,
        row.model,
        row.agent ?? null,
        row.parentId ?? null,
        row.parentCallId ?? null,
        row.maxSteps ?? null,
        now,
        now,
      );
      return mustGet(row.id);
    },
    update: (id, change) => {
      write(sql, id, change);
      return mustGet(id);
    },
    titleBy: (id) =>
      parseRow(TitleBy, sql.get('SELECT title_by FROM sessions WHERE id = ?', id))?.title_by ?? 'message',
    byOrigin: (origin, originId) =>
      parseRow(
        Row,
        sql.get(`SELECT ${COLUMNS} FROM sessions WHERE origin = ? AND origin_id = ?`, origin, originId),
      ),
    spending: (id) =>
      Spending.parse(
        sql.get(
          `SELECT coalesce(sum(cost_micros), 0) AS micros, coalesce(sum(spent_tokens), 0) AS tokens
           FROM sessions WHERE id = ? OR parent_id = ?`,
          id,
          id,
        ),
      ),
    spend: (id, { micros, tokens }) => {
      sql.run(
        'UPDATE sessions SET cost_micros = cost_micros + ?, spent_tokens = spent_tokens + ? WHERE id = ?',
        micros,
        tokens,
        id,
      );
    },
    remove: (id) => {
      sql.run('DELETE FROM sessions WHERE id = ?', id);
    },
    queued: () =>
      parseRows(
        Row,
        sql.all(
          `SELECT ${COLUMNS} FROM sessions WHERE parent_id IS NOT NULL AND last_fact = ? AND message_count = 0`,
          QUEUED_FACT,
        ),
      ).items,
    unfinished: () =>
      parseRows(
        Row,
        sql.all(`SELECT ${COLUMNS} FROM sessions WHERE activity IN ('running', 'waiting') ${NEWEST_FIRST}`),
      ).items,
  };
}
