import { lstatSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/error';
import { syncFolder } from '../workspace/atomic-write';
import type { WorkspaceFiles } from '../workspace/types';
import { sha256 } from '../workspace/workspace-files';
import type { FileSetJournal, JournalledFile } from './file-set-journal';

/** One file of a set: what it becomes, and what it must be until then. */
export interface FileChange {
  path: string;
  /** Null removes the file. */
  bytes: Buffer | null;
  /** Null: there must be no file. */
  expectedHash: string | null;
  /** Permission bits that the file gets; left out = the old file's, or the usual ones. */
  mode?: number;
  /** A file without write permission is replaced or removed too. */
  evenReadOnly?: boolean;
}

/**
 * Writes several files, all of them or none. All new bytes are on the disk before the first file is replaced, so that a
 * full disk or a folder that may not be written is met while nothing has changed; a failure after that is taken back, and
 * what a killed process leaves is taken back from the journal at the next start.
 *
 * @throws AppError `stale` and those of `writeBytes`; with `detail.undone: false` when taking back failed as well
 */
export async function writeFileSet(
  files: WorkspaceFiles,
  changes: readonly FileChange[],
  journal: FileSetJournal,
): Promise<void> {
  const before = await Promise.all(changes.map((change) => factsBefore(files, change)));
  const folders = await missingFolders(files, changes);
  const entry = await journal.begin(files.root, before);
  const staged = new StagedSet(files, changes);
  try {
    await staged.ready();
    await staged.carryOut();
    await syncFoldersOf(files, changes);
  } catch (error) {
    await staged.abandon();
    const undone = await takeBack(files, before.slice(0, staged.done).reverse());
    await removeFolders(folders);
    if (!undone) throw halfDone(error);
    await journal.end(entry);
    throw error;
  }
  await journal.end(entry);
}

async function factsBefore(files: WorkspaceFiles, change: FileChange): Promise<JournalledFile> {
  const after = change.bytes === null ? null : sha256(change.bytes);
  const modeAfter = after === null ? null : (change.mode ?? null);
  if (change.expectedHash === null)
    return { path: change.path, bytes: null, before: null, after, mode: null, modeAfter };
  const { bytes, hash, mode } = await files.readBytes(change.path);
  if (hash !== change.expectedHash) throw stale(change.path);
  return { path: change.path, bytes, before: hash, after, mode, modeAfter };
}

/** New bytes of all files beside their targets, waiting to replace them. */
class StagedSet {
  done = 0;
  private readonly steps: {
    gate: PromiseWithResolvers<void>;
    staged: Promise<unknown>;
    written: Promise<unknown>;
  }[];

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly changes: readonly FileChange[],
  ) {
    this.steps = changes.map((change) => this.stage(change));
  }

  private stage(change: FileChange): (typeof this.steps)[number] {
    const gate = Promise.withResolvers<void>();
    gate.promise.catch(() => undefined);
    const { path: name, bytes, expectedHash, mode, evenReadOnly } = change;
    if (bytes === null) return { gate, staged: Promise.resolve(), written: Promise.resolve() };
    const staged = Promise.withResolvers<void>();
    const written = this.files.writeBytes(name, bytes, {
      expectedHash,
      after: gate.promise,
      onStaged: () => staged.resolve(),
      leavesFolder: true,
      ...(mode === undefined ? {} : { mode }),
      ...(evenReadOnly === undefined ? {} : { evenReadOnly }),
    });
    written.catch(() => undefined);
    // A write that fails before it is staged ends the waiting too.
    return { gate, staged: Promise.race([staged.promise, written]), written };
  }

  async ready(): Promise<void> {
    await Promise.all(this.steps.map(({ staged }) => staged));
  }

  /** Files that are removed come last: until then everything that was there still is. */
  async carryOut(): Promise<void> {
    for (const [at, { gate, written }] of this.steps.entries()) {
      const { path: name, bytes, expectedHash, evenReadOnly = false } = this.changes[at] as FileChange;
      gate.resolve();
      if (bytes === null && expectedHash !== null)
        await this.files.removeFile(name, { expectedHash, evenReadOnly, leavesFolder: true });
      await written;
      this.done = at + 1;
    }
  }

  async abandon(): Promise<void> {
    const reason = new AppError('cancelled', 'The change was not made.', { audience: 'log' });
    for (const { gate } of this.steps) gate.reject(reason);
    await Promise.allSettled(this.steps.map(({ written }) => written));
  }
}

/** On which side of its change a file is; null when somebody else changed it. */
export async function sideOf(
  files: WorkspaceFiles,
  { path: name, before, after, mode, modeAfter }: Omit<JournalledFile, 'bytes'>,
): Promise<'before' | 'after' | null> {
  const now = await files.hashOf(name);
  // Where the bytes stay, the permissions tell.
  if (before === after && before !== null && now === before)
    return (await files.readBytes(name)).mode === (modeAfter ?? mode) ? 'after' : 'before';
  if (now === before) return 'before';
  return now === after ? 'after' : null;
}

/** Puts back what files were before; a file that somebody changed since is left alone. @returns whether all are as before */
export async function takeBack(
  files: WorkspaceFiles,
  before: readonly Omit<JournalledFile, 'bytes'>[] | readonly JournalledFile[],
  load: (file: Omit<JournalledFile, 'bytes'>) => Promise<Buffer | null> = (file) =>
    Promise.resolve((file as JournalledFile).bytes),
): Promise<boolean> {
  let whole = true;
  for (const file of before) {
    try {
      const now = await sideOf(files, file);
      if (now === 'before') continue;
      if (now === null) throw stale(file.path);
      if (file.before === null)
        await files.removeFile(file.path, { expectedHash: file.after as string, evenReadOnly: true });
      else await restore(files, file, await load(file));
    } catch {
      whole = false;
    }
  }
  return whole;
}

async function restore(
  files: WorkspaceFiles,
  file: Omit<JournalledFile, 'bytes'>,
  bytes: Buffer | null,
): Promise<void> {
  if (bytes === null) throw new AppError('not_found', `The former content of ${file.path} is not kept.`);
  const mode = file.mode === null ? {} : { mode: file.mode };
  await files.writeBytes(file.path, bytes, { expectedHash: file.after, evenReadOnly: true, ...mode });
}

/** Each folder once, however many of its files are in the set. Until then the journal takes all of it back. */
async function syncFoldersOf(files: WorkspaceFiles, changes: readonly FileChange[]): Promise<void> {
  const parents = new Set(changes.map((change) => path.posix.dirname(change.path)));
  await Promise.all(
    [...parents].map(async (parent) => {
      const { absolute, exists } = await files.resolve(parent);
      if (exists) await syncFolder(absolute);
    }),
  );
}

/** Folders that the set will make, the deepest first. */
async function missingFolders(files: WorkspaceFiles, changes: readonly FileChange[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const change of changes) {
    if (change.bytes === null || change.expectedHash !== null) continue;
    const { absolute } = await files.resolve(change.path);
    for (let folder = path.dirname(absolute); folder !== files.root; folder = path.dirname(folder)) {
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) break;
      missing.add(folder);
    }
  }
  return [...missing].sort((a, b) => b.length - a.length);
}

/** One that is not empty belongs to somebody else by now. */
async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

const stale = (name: string): AppError =>
  new AppError('stale', `\`${name}\` was changed on disk in the meantime.`, {
    audience: 'model',
    hint: 'Read the file again and redo the change on what is there now. Nothing was written.',
    detail: { path: name },
  });

function halfDone(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError('io_failed', `${why} Some files of the change could not be put back.`, {
    hint: 'They are put back at the next start, unless they change until then.',
    detail: { undone: false },
    cause,
  });
}
