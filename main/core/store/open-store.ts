import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { createBackupStore } from './backup-store';
import { createBranchStore } from './branch-store';
import { createChangeStore } from './change-store';
import { createContextStore } from './context-store';
import { createEventStore } from './event-store';
import { placeExitMarker, type ExitMarker } from './exit-marker';
import { createGrantStore } from './grant-store';
import { createLearnedWindowStore } from './learned-window-store';
import { createMemoryStore } from './memory-store';
import { migrate, storeVersion, type Migration } from './migrate';
import { firstTables } from './migrations/0001-first-tables';
import { branchesAndSearch } from './migrations/0002-branches-and-search';
import { contextTables } from './migrations/0003-context';
import { memoryTables } from './migrations/0004-memory';
import { subagentsAndBudget } from './migrations/0005-subagents-and-budget';
import { recordings } from './migrations/0006-recordings';
import { changeLog } from './migrations/0007-change-log';
import { searchLater } from './migrations/0008-search-later';
import { createProjectStore } from './project-store';
import { createRecordingStore } from './recording-store';
import { createSessionStore } from './session-store';
import { createSearchStore } from './search-store';
import { isCorruption, Sql } from './sql';
import { createStateStore } from './state-store';
import type { Store } from './types';
import { createWindowStore } from './window-store';

const FILE = 'lathe.db';
/** All steps in order. */
export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  branchesAndSearch,
  contextTables,
  memoryTables,
  subagentsAndBudget,
  recordings,
  changeLog,
  searchLater,
];

/** Moves the damaged file with its side files into a folder of its own; nothing is deleted. */
function setAside(dataDir: string): string {
  const folder = join(dataDir, `corrupt-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const suffix of ['', '-wal', '-shm']) {
    const name = FILE + suffix;
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(folder, name));
  }
  return folder;
}

function checkWhole(sql: Sql): void {
  const answer = z.string().parse(sql.pragma('quick_check(1)'));
  if (answer !== 'ok') {
    throw new AppError('store_corrupt', `The store failed its check: ${answer}.`, { audience: 'log' });
  }
}

interface OpenedSql {
  sql: Sql;
  outcome: 'fresh' | 'ok' | 'migrated';
  copy: string | null;
}

function openChecked(path: string, dataDir: string, check: boolean): OpenedSql {
  const sql = Sql.open(path);
  try {
    if (check) checkWhole(sql);
    const before = storeVersion(sql);
    const copy = migrate(sql, MIGRATIONS, dataDir);
    if (before === 0) chmodSync(path, 0o600);
    return { sql, copy, outcome: before === 0 ? 'fresh' : copy === null ? 'ok' : 'migrated' };
  } catch (error) {
    sql.close();
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return isCorruption(error) || (error instanceof AppError && error.code === 'store_corrupt');
}

function openOrRecover(dataDir: string, marker: ExitMarker): { sql: Sql; opened: Store['opened'] } {
  const path = join(dataDir, FILE);
  try {
    const { sql, outcome, copy } = openChecked(path, dataDir, marker.uncleanExit);
    const notice = copy === null ? null : `The store was updated. A copy of the old one is at ${copy}.`;
    return { sql, opened: { outcome, notice } };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const folder = setAside(dataDir);
    const { sql } = openChecked(path, dataDir, false);
    const notice =
      `The file with your sessions was damaged and could not be read. It was moved to ${folder} – nothing was ` +
      `deleted – and Lathe started with an empty one.`;
    return { sql, opened: { outcome: 'recovered', notice } };
  }
}

/**
 * Opens the store in `<dataDir>/lathe.db`, creating folder and file when missing. A damaged file is set aside and
 * replaced by an empty one (`opened.notice` says where it is); the file is checked whole only after an unclean exit.
 *
 * @throws AppError `store_newer`, `disk_full`, `busy`, `io_failed`
 */
export function openStore({ dataDir }: { dataDir: string }): Store {
  let marker: ExitMarker;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    marker = placeExitMarker(dataDir);
  } catch (error) {
    throw folderError(dataDir, error);
  }
  try {
    const { sql, opened } = openOrRecover(dataDir, marker);
    return assemble(sql, join(dataDir, FILE), opened, marker);
  } catch (error) {
    marker.clear();
    throw error;
  }
}

function folderError(dataDir: string, error: unknown): AppError {
  const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  return new AppError(full ? 'disk_full' : 'io_failed', `The data folder ${dataDir} can't be written.`, {
    hint: full
      ? 'Free some space and start again.'
      : 'Check its permissions, or set LATHE_HOME to another folder.',
    cause: error,
    detail: { path: dataDir },
  });
}

function assemble(sql: Sql, path: string, opened: Store['opened'], marker: ExitMarker): Store {
  let damaged = false;
  let open = true;
  let version = sql.pragma('data_version');
  sql.onCorruption(() => {
    damaged = true;
  });
  const changes = createChangeStore(sql);
  return {
    path,
    changes,
    branches: createBranchStore(sql),
    windows: createWindowStore(sql),
    search: createSearchStore(sql),
    projects: createProjectStore(sql),
    sessions: createSessionStore(sql),
    events: createEventStore(sql, changes.staged),
    grants: createGrantStore(sql),
    state: createStateStore(sql),
    backups: createBackupStore(sql),
    learnedWindows: createLearnedWindowStore(sql),
    memory: createMemoryStore(sql),
    context: createContextStore(sql),
    recordings: createRecordingStore(sql),
    opened,
    changedElsewhere: () => {
      const now = sql.pragma('data_version');
      const changed = now !== version;
      version = now;
      return changed;
    },
    close: () => {
      if (!open) return;
      open = false;
      sql.close();
      if (damaged) marker.abandon();
      else marker.clear();
    },
  };
}
