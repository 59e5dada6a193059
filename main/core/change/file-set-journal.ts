import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/error';
import { realDisk, syncFolder } from '../workspace/atomic-write';
import { errno } from '../workspace/path-jail';
import { RECORD_NAME, startOf, type SetRecord } from './file-set-record';

/** A file of a set as it was; `bytes` null when it was not there. */
export interface JournalledFile {
  path: string;
  bytes: Buffer | null;
  before: string | null;
  after: string | null;
  mode: number | null;
  /** Permission bits that the file gets; null where they stay. */
  modeAfter: number | null;
}

/** Keeps what a set of writes replaces until all of them are made. */
export interface FileSetJournal {
  /** Durable when it resolves. @returns what `end` is told */
  begin(root: string, files: readonly JournalledFile[]): Promise<string>;
  end(entry: string): Promise<void>;
}

/** @param dir of Lathe's data folder; made when it is needed */
export function createFileSetJournal(dir: string): FileSetJournal {
  return {
    begin: async (root, files) => {
      const entry = path.join(dir, randomUUID());
      try {
        await write(entry, root, files);
        return entry;
      } catch (error) {
        await rm(entry, { recursive: true, force: true });
        throw notKept(error);
      }
    },
    // The set is done either way; an entry that stays is recognised as finished at the next start.
    end: (entry) => rm(entry, { recursive: true, force: true }).catch(() => undefined),
  };
}

async function write(entry: string, root: string, files: readonly JournalledFile[]): Promise<void> {
  mkdirSync(entry, { recursive: true, mode: 0o700 });
  const images = files.map(async ({ bytes }, at) => bytes && (await keep(path.join(entry, `${at}`), bytes)));
  await Promise.all(images);
  const record: SetRecord = {
    root,
    pid: process.pid,
    started: startOf(process.pid),
    files: files.map(({ path: name, before, after, mode, modeAfter }) => ({
      ...{ path: name, before, after, mode, modeAfter },
    })),
  };
  // Without its record an entry counts for nothing, so the record comes last.
  await keep(path.join(entry, RECORD_NAME), Buffer.from(JSON.stringify(record)));
  await syncFolder(entry);
  await syncFolder(path.dirname(entry));
}

function notKept(cause: unknown): AppError {
  const full = ['ENOSPC', 'EDQUOT'].includes(errno(cause));
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError(full ? 'disk_full' : 'io_failed', `The files could not be kept as they were: ${why}`, {
    hint: 'Nothing was written. Free some space in Lathe’s data folder and try again.',
    cause,
  });
}

async function keep(target: string, bytes: Buffer): Promise<void> {
  const fd = openSync(target, 'wx', 0o600);
  try {
    await realDisk.write(fd, bytes);
    await realDisk.sync(fd);
  } finally {
    closeSync(fd);
  }
}
