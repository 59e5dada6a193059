import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import type { Sql } from './sql';

/** One step forward. Files are numbered and frozen once released. */
export interface Migration {
  /** `user_version` after this step: 1, 2, 3 … */
  readonly version: number;
  readonly sql: string;
  /** Tables whose row count this step changes on purpose; all others must keep theirs. */
  readonly changesRowsOf?: readonly string[];
}

const Names = z.array(z.object({ name: z.string() }));
const Count = z.object({ n: z.int() });

function rowCounts(sql: Sql): Map<string, number> {
  const tables = Names.parse(
    sql.all(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`),
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const quoted = name.replaceAll('"', '""');
    counts.set(name, Count.parse(sql.get(`SELECT count(*) AS n FROM "${quoted}"`)).n);
  }
  return counts;
}

function checkCounts(before: Map<string, number>, after: Map<string, number>, exempt: Set<string>): void {
  for (const [table, count] of before) {
    if (exempt.has(table) || after.get(table) === count) continue;
    throw new AppError(
      'internal',
      `Updating the store would have lost rows of "${table}"; nothing was changed.`,
      {
        hint: 'Use the earlier version of Lathe and report this.',
        detail: { table, before: count, after: after.get(table) ?? 0 },
      },
    );
  }
}

export function storeVersion(sql: Sql): number {
  return z.int().parse(sql.pragma('user_version'));
}

/** Copies the store next to itself before it is changed. */
function keepCopy(sql: Sql, dir: string, version: number): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  // Several processes may come to this in the same millisecond, each with a copy of its own.
  const path = join(dir, `lathe-before-v${version + 1}-${stamp}-${randomUUID().slice(0, 8)}.db`);
  sql.run('VACUUM INTO ?', path);
  return path;
}

/**
 * Brings the store to the newest version in one transaction, or leaves it untouched. An existing store is copied
 * first; two processes may call this at once, the second finds the work done.
 *
 * @returns path of the copy, or null when nothing had to be migrated or the store was empty
 * @throws AppError `store_newer` when a later Lathe wrote the store
 */
export function migrate(sql: Sql, migrations: readonly Migration[], dir: string): string | null {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = storeVersion(sql);
  if (found > newest) {
    throw new AppError(
      'store_newer',
      `The store was written by a newer Lathe (format ${found}, this one knows ${newest}).`,
      {
        hint: 'Update Lathe, or set LATHE_HOME to another folder.',
        detail: { found, newest },
      },
    );
  }
  if (found === newest) return null;
  const copy = found === 0 ? null : keepCopy(sql, dir, found);
  sql.transaction(() => {
    const current = storeVersion(sql);
    const steps = migrations.filter((step) => step.version > current);
    if (steps.length === 0) return;
    const before = rowCounts(sql);
    for (const step of steps) sql.exec(step.sql);
    checkCounts(before, rowCounts(sql), new Set(steps.flatMap((step) => step.changesRowsOf ?? [])));
    sql.pragma(`user_version = ${newest}`);
  });
  return copy;
}
