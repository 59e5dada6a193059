import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { ChangeAuthor, ChangeSet, ChangeSetId, PathChange } from '../../../shared/model/change';
import type { ChainLink, ChangeStore, NewChangeSet } from '../change/types';
import { fromJson, parseRow, parseRows, type Sql } from './sql';
import { createCommandStore, type CommandStore } from './running-command-store';
import { StagedChanges } from './staged-changes';

const SET_COLUMNS = 's.seq, s.id, s.at, s.author, s.label, s.not_covered, s.is_reviewed, s.undone_by';
const DEFAULT_LIMIT = 100;

const Json = z.string().transform(fromJson);
const SetRow = z.object({
  seq: z.int(),
  id: z.string(),
  at: z.int(),
  author: Json.pipe(ChangeAuthor),
  label: z.string(),
  not_covered: Json.pipe(z.array(z.string())),
  is_reviewed: z.int(),
  undone_by: z.string().nullable(),
});
type SetRow = z.output<typeof SetRow>;

const side = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : fromJson(text)));
const ChangeRow = z
  .object({ path: z.string(), moved_from: z.string().nullable(), before: side, after: side })
  .transform(({ moved_from, ...row }): unknown => ({ ...row, movedFrom: moved_from }))
  .pipe(PathChange);

/** The change log in the database, with what only the store itself and the recorder need. */
export interface ChangeTables extends ChangeStore {
  /** Entries that wait for the end of their call: they are stored in its transaction. */
  readonly staged: StagedChanges;
  readonly commands: CommandStore;
  /** The newest change of each of these paths: what the log last knew of them. */
  lastOf(projectId: string, paths: readonly string[]): Map<string, { seq: number; change: PathChange }>;
  /** Number of the newest entry; 0 when there is none. */
  lastSeq(projectId: string): number;
  /** Contents that a pending review needs: what was there before unreviewed changes, and accepted bases. */
  reviewHashes(): Set<string>;
  /** Entries say from now on that these contents are not kept. */
  forgetContents(hashes: readonly string[]): void;
  /** Hashes that entries name, in the order in which they were last needed, the oldest first. */
  hashesByAge(): string[];
}

const SetFacts = ChangeSet.omit({ changes: true });

/** @param changes are parsed already */
function toSet(row: SetRow, changes: PathChange[]): ChangeSet {
  const { not_covered, undone_by, is_reviewed: _reviewed, ...rest } = row;
  return { ...SetFacts.parse({ ...rest, undoneBy: undone_by, notCovered: not_covered }), changes };
}

const changesOf = (sql: Sql, seq: number): PathChange[] =>
  parseRows(
    ChangeRow,
    sql.all(
      'SELECT path, moved_from, before, after FROM path_changes WHERE set_seq = ? ORDER BY position',
      seq,
    ),
  ).items;

/** Changes of entries that are kept at hand, over all of them. */
const MAX_KNOWN_CHANGES = 50_000;

/** Entries that were read lately: one with thousands of files is parsed once, and not once for each of its files. */
class ReadSets {
  private readonly known = new Map<number, ChangeSet>();
  private changes = 0;

  constructor(private readonly sql: Sql) {}

  of(row: SetRow): ChangeSet {
    const set = this.known.get(row.seq) ?? this.read(row);
    return set.undoneBy === row.undone_by ? set : toSet(row, set.changes);
  }

  /** What entries say changed. */
  clear(): void {
    this.known.clear();
    this.changes = 0;
  }

  private read(row: SetRow): ChangeSet {
    const set = toSet(row, changesOf(this.sql, row.seq));
    this.known.set(row.seq, set);
    this.changes += set.changes.length;
    for (const [seq, oldest] of this.known) {
      if (this.changes <= MAX_KNOWN_CHANGES || seq === row.seq) break;
      this.known.delete(seq);
      this.changes -= oldest.changes.length;
    }
    return set;
  }
}

const address = (author: ChangeAuthor): [string | null, string | null, string | null] =>
  author.kind === 'agent' || author.kind === 'command'
    ? [author.sessionId, author.turnId, author.callId]
    : [null, null, null];

const Seq = z.object({ seq: z.int() });

/** From so many files on one statement for all is quicker than one for each. */
const MANY_CHANGES = 8;

const sideOf = (state: PathChange['before']): [string | null, string | null] => [
  state?.hash ?? null,
  state === null ? null : JSON.stringify(state),
];

function insertChanges(sql: Sql, projectId: string, seq: number, changes: readonly PathChange[]): void {
  const columns = 'set_seq, position, project_id, path, moved_from, before_hash, before, after_hash, after';
  if (changes.length < MANY_CHANGES) {
    for (const [position, { path, movedFrom, before, after }] of changes.entries()) {
      sql.run(
        `INSERT INTO path_changes (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[seq, position, projectId, path, movedFrom ?? null, ...sideOf(before), ...sideOf(after)],
      );
    }
    return;
  }
  sql.run(
    `INSERT INTO path_changes (${columns})
     SELECT ?, key, ?, value ->> 'path', value ->> 'movedFrom', value ->> '$.before.hash',
       nullif(value -> 'before', 'null'), value ->> '$.after.hash', nullif(value -> 'after', 'null')
     FROM json_each(?)`,
    seq,
    projectId,
    JSON.stringify(changes),
  );
}

/** Stores an entry; called inside the transaction that it belongs to. */
export function insertChangeSet(sql: Sql, projectId: string, set: NewChangeSet): ChangeSet {
  const { author, label, notCovered = [], isReviewed = false, at = Date.now() } = set;
  const id = ChangeSetId.parse(set.id ?? randomUUID());
  const changes = [...set.changes];
  const row = sql.get(
    `INSERT INTO change_sets (id, project_id, at, kind, session_id, turn_id, call_id, author, label, not_covered,
       is_reviewed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
    ...[id, projectId, at, author.kind, ...address(author)],
    ...[JSON.stringify(author), label, JSON.stringify(notCovered), isReviewed ? 1 : 0],
  );
  const { seq } = Seq.parse(row);
  insertChanges(sql, projectId, seq, changes);
  return { id, seq, at, author, label, changes, undoneBy: null, notCovered: [...notCovered] };
}

type Filter = Parameters<ChangeStore['list']>[1];

function list(sql: Sql, sets: ReadSets, projectId: string, filter: Filter): ChangeSet[] {
  const wanted: [string, string | number | undefined][] = [
    ['s.session_id = ?', filter.sessionId],
    ['s.turn_id = ?', filter.turnId],
    ['s.call_id = ?', filter.callId],
    ['s.seq < ?', filter.before],
    ['s.seq IN (SELECT set_seq FROM path_changes WHERE project_id = s.project_id AND path = ?)', filter.path],
  ];
  const given = wanted.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  const rows = sql.all(
    `SELECT ${SET_COLUMNS} FROM change_sets s WHERE s.project_id = ?
     ${given.map(({ condition }) => `AND ${condition}`).join(' ')} ORDER BY s.seq DESC LIMIT ?`,
    projectId,
    ...given.map(({ value }) => value),
    filter.limit ?? DEFAULT_LIMIT,
  );
  return parseRows(SetRow, rows).items.map((row) => sets.of(row));
}

function chain(sql: Sql, sets: ReadSets, projectId: string, path: string, afterSeq: number): ChainLink[] {
  const rows = sql.all(
    `SELECT DISTINCT ${SET_COLUMNS} FROM path_changes c JOIN change_sets s ON s.seq = c.set_seq
     WHERE c.project_id = ? AND c.path = ? AND c.set_seq > ? ORDER BY s.seq`,
    projectId,
    path,
    afterSeq,
  );
  return parseRows(SetRow, rows).items.flatMap((row) => {
    const set = sets.of(row);
    return set.changes
      .filter((change) => change.path === path)
      .map((change) => ({ set, change, isReviewed: row.is_reviewed === 1 }));
  });
}

function removals(sql: Sql, projectId: string, path: string, afterSeq: number): ChangeSet[] {
  const rows = sql.all(
    `SELECT DISTINCT ${SET_COLUMNS} FROM path_changes c JOIN change_sets s ON s.seq = c.set_seq
     WHERE c.project_id = ? AND c.path = ? AND c.set_seq > ? AND c.after IS NULL AND s.undone_by IS NULL
     ORDER BY s.seq`,
    projectId,
    path,
    afterSeq,
  );
  return parseRows(SetRow, rows).items.map((row) => toSet(row, changesOf(sql, row.seq)));
}

const Path = z.object({ path: z.string() });
const Hash = z.object({ hash: z.string() });
const hashes = (rows: unknown[]): string[] => parseRows(Hash, rows).items.map(({ hash }) => hash);

const UNREVIEWED = `FROM path_changes c JOIN change_sets s ON s.seq = c.set_seq
  LEFT JOIN review_bases b ON b.project_id = c.project_id AND b.path = c.path
  WHERE s.kind IN ('agent', 'command') AND s.is_reviewed = 0 AND s.seq > coalesce(b.seq, 0)`;

function unreviewed(sql: Sql, projectId: string, filter: { sessionId?: string; turnId?: string }): string[] {
  const rows = sql.all(
    `SELECT DISTINCT c.path AS path ${UNREVIEWED} AND c.project_id = ?
       AND s.session_id = coalesce(?, s.session_id) AND s.turn_id = coalesce(?, s.turn_id) ORDER BY c.path`,
    projectId,
    filter.sessionId ?? null,
    filter.turnId ?? null,
  );
  return parseRows(Path, rows).items.map(({ path }) => path);
}

const BaseRow = z.object({ path: z.string(), seq: z.int(), hash: z.string().nullable() });

function missing(id: string): AppError {
  return new AppError('not_found', 'There is no such entry in the change log.', { detail: { id } });
}

/** The newest change of each path. */
function lastOf(sql: Sql, projectId: string, paths: readonly string[]): ReturnType<ChangeTables['lastOf']> {
  const rows = sql.all(
    `SELECT c.set_seq, c.path, c.moved_from, c.before, c.after FROM json_each(?) wanted
     JOIN path_changes c ON c.project_id = ? AND c.path = wanted.value AND c.set_seq =
       (SELECT max(set_seq) FROM path_changes WHERE project_id = ? AND path = wanted.value)`,
    ...[JSON.stringify(paths), projectId, projectId],
  );
  return new Map(
    rows.flatMap((row) => {
      const [seq, change] = [parseRow(SeqRow, row), parseRow(ChangeRow, row)];
      return seq && change ? [[change.path, { seq: seq.set_seq, change }] as const] : [];
    }),
  );
}

const SeqRow = z.object({ set_seq: z.int() });

function forgetContents(sql: Sql, gone: readonly string[]): void {
  const names = JSON.stringify(gone);
  for (const column of ['before', 'after']) {
    sql.run(
      `UPDATE path_changes SET ${column} = json_set(${column}, '$.isKept', json('false'))
       WHERE ${column}_hash IN (SELECT value FROM json_each(?))`,
      names,
    );
  }
}

const UNDOABLE = `EXISTS (SELECT 1 FROM path_changes c WHERE c.set_seq = change_sets.seq
  AND coalesce(c.before ->> 'isKept', 1) = 1 AND coalesce(c.after ->> 'isKept', 1) = 1)`;

/** The change log: entries with their files, review bases, commands in progress. */
export function createChangeStore(sql: Sql): ChangeTables {
  const sets = new ReadSets(sql);
  return {
    staged: new StagedChanges(),
    commands: createCommandStore(sql),
    record: (projectId, set) => sql.transaction(() => insertChangeSet(sql, projectId, set)),
    get: (id) => {
      const row = parseRow(SetRow, sql.get(`SELECT ${SET_COLUMNS} FROM change_sets s WHERE s.id = ?`, id));
      return row && sets.of(row);
    },
    list: (projectId, filter) => list(sql, sets, projectId, filter),
    chain: (projectId, path, afterSeq = 0) => chain(sql, sets, projectId, path, afterSeq),
    removals: (projectId, path, afterSeq) => removals(sql, projectId, path, afterSeq),
    unreviewed: (projectId, filter) => unreviewed(sql, projectId, filter),
    markUndone: (id, by) => {
      const { changes } = sql.run('UPDATE change_sets SET undone_by = ? WHERE id = ?', by, id);
      if (changes === 0) throw missing(id);
    },
    reviewBase: (projectId, path) =>
      parseRow(
        BaseRow,
        sql.get(
          'SELECT path, seq, hash FROM review_bases WHERE project_id = ? AND path = ?',
          projectId,
          path,
        ),
      ),
    setReviewBase: (projectId, { path, seq, hash }) => {
      sql.run(
        `INSERT INTO review_bases (project_id, path, seq, hash) VALUES (?, ?, ?, ?)
         ON CONFLICT (project_id, path) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
        ...[projectId, path, seq, hash],
      );
    },
    liveHashes: () =>
      new Set(
        hashes(
          sql.all(`SELECT before_hash AS hash FROM path_changes WHERE before_hash IS NOT NULL
            UNION SELECT after_hash FROM path_changes WHERE after_hash IS NOT NULL
            UNION SELECT hash FROM review_bases WHERE hash IS NOT NULL`),
        ),
      ),
    prune: (beforeAt) => {
      sets.clear();
      return sql.run(`DELETE FROM change_sets WHERE at < ? AND NOT ${UNDOABLE}`, beforeAt).changes;
    },
    lastOf: (projectId, paths) => lastOf(sql, projectId, paths),
    lastSeq: (projectId) =>
      parseRow(
        SeqRow,
        sql.get('SELECT coalesce(max(seq), 0) AS set_seq FROM change_sets WHERE project_id = ?', projectId),
      )?.set_seq ?? 0,
    reviewHashes: () =>
      new Set(
        hashes(
          sql.all(`SELECT c.before_hash AS hash ${UNREVIEWED} AND c.before_hash IS NOT NULL
            UNION SELECT c.after_hash ${UNREVIEWED} AND c.after_hash IS NOT NULL
            UNION SELECT hash FROM review_bases WHERE hash IS NOT NULL`),
        ),
      ),
    forgetContents: (gone) => {
      sets.clear();
      forgetContents(sql, gone);
    },
    hashesByAge: () =>
      hashes(
        sql.all(`SELECT hash FROM (
          SELECT before_hash AS hash, set_seq FROM path_changes WHERE before_hash IS NOT NULL
          UNION ALL SELECT after_hash, set_seq FROM path_changes WHERE after_hash IS NOT NULL
        ) GROUP BY hash ORDER BY max(set_seq)`),
      ),
  };
}
