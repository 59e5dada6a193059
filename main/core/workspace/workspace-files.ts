import { hash as hashOfBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/error';
import { atomicRemove, atomicWrite, TEMP_FILE_PREFIX, type DiskSteps } from './atomic-write';
import { errno, openPathJail, type PathJail } from './path-jail';
import type { FileBytes, FolderEntry, ResolvedPath, WorkspaceFiles } from './types';

/** Files larger than this are not read as a whole unless the caller says otherwise (case-E23). */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
const SMALL_FILE_BYTES = 128 * 1024;
const SCAN_CHUNK_BYTES = 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface WorkspaceFilesOptions {
  /** Stands in for the disk in tests of a full one. */
  disk?: DiskSteps;
}

/**
 * Opens a project folder for reading and writing behind the path jail.
 *
 * @throws AppError `folder_missing`, `folder_unreadable`
 */
export async function openWorkspaceFiles(
  folder: string,
  options: WorkspaceFilesOptions = {},
): Promise<WorkspaceFiles> {
  const jail = await openPathJail(folder);
  const readBytes: WorkspaceFiles['readBytes'] = async (name, limits = {}) => {
    const resolved = await existing(jail, name);
    const small = await readSmall(jail, resolved);
    if (small !== null && small.bytes.length <= (limits.maxBytes ?? MAX_FILE_BYTES))
      return fileBytes(small.bytes, small.facts);
    return await withFile(jail, resolved, (handle, facts) => readWhole(handle, facts, resolved, limits));
  };
  return {
    root: jail.root,
    resolve: (name) => jail.resolve(name),
    readBytes,
    writeBytes: (name, bytes, conditions = {}) => writeFile(jail, name, bytes, conditions, options.disk),
    removeFile: (name, conditions) => removeFile(jail, name, conditions),
    hashOf: async (name) => {
      const resolved = await jail.resolve(name);
      if (!resolved.exists) return null;
      const small = await readSmall(jail, resolved);
      if (small !== null) return sha256(small.bytes);
      return await withFile(jail, resolved, async (handle) => sha256(await handle.readFile()));
    },
    scan: async (name, onChunk, { signal } = {}) => {
      const resolved = await existing(jail, name);
      return await withFile(jail, resolved, (handle, facts) => scanFile(handle, facts, onChunk, signal));
    },
    list: (name) => listFolder(jail, name),
  };
}

/** Lower-case hex SHA-256, the name of a file's contents everywhere in the product. */
export function sha256(bytes: Uint8Array): string {
  return hashOfBytes('sha256', bytes, 'hex');
}

async function existing(jail: PathJail, name: string): Promise<ResolvedPath> {
  const resolved = await jail.resolve(name);
  if (!resolved.exists) throw notFound(resolved.relative);
  return resolved;
}

/**
 * A small file on a quick disk, read without leaving this thread; null when it is another one. The checks are those of
 * {@link withFile}.
 */
async function readSmall(
  jail: PathJail,
  resolved: ResolvedPath,
): Promise<{ bytes: Buffer; facts: Stats } | null> {
  try {
    return await jail.pace.ask(
      () => readDirect(jail, resolved),
      () => Promise.resolve(null),
    );
  } catch (error) {
    throw error instanceof AppError ? error : ioFailure(resolved)(error);
  }
}

function readDirect(jail: PathJail, resolved: ResolvedPath): { bytes: Buffer; facts: Stats } | null {
  requireRegular(lstatSync(resolved.absolute), resolved);
  const fd = openSync(resolved.absolute, READ_FLAGS);
  try {
    const facts = fstatSync(fd);
    requireRegular(facts, resolved);
    if (facts.size > SMALL_FILE_BYTES) return null;
    if (!jail.contains(pathOf(fd))) throw leadsOut(resolved);
    return { bytes: readFileSync(fd), facts };
  } finally {
    closeSync(fd);
  }
}

/** Where an open file really lies (Linux). */
const pathOf = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`).replace(/ \(deleted\)$/, '');

/** Opens a regular file without following links and makes sure that what was opened lies inside the folder. */
async function withFile<T>(
  jail: PathJail,
  resolved: ResolvedPath,
  use: (handle: FileHandle, facts: Stats) => Promise<T>,
): Promise<T> {
  requireRegular(await lstat(resolved.absolute).catch(ioFailure(resolved)), resolved);
  const handle = await open(resolved.absolute, READ_FLAGS).catch(ioFailure(resolved));
  try {
    const facts = await handle.stat();
    requireRegular(facts, resolved);
    await requireInside(jail, handle, facts, resolved);
    return await use(handle, facts);
  } finally {
    await handle.close();
  }
}

/** A folder on the way may have been swapped for a link between the check and the opening (sec-B14). */
async function requireInside(
  jail: PathJail,
  handle: FileHandle,
  facts: Stats,
  resolved: ResolvedPath,
): Promise<void> {
  if (process.platform === 'linux') {
    if (jail.contains(pathOf(handle.fd))) return;
  } else {
    const real = await realpath(resolved.absolute).catch(() => null);
    const again = real === null ? null : await stat(real).catch(() => null);
    if (real !== null && jail.contains(real) && again?.ino === facts.ino && again.dev === facts.dev) return;
  }
  throw leadsOut(resolved);
}

function requireRegular(facts: Stats, resolved: ResolvedPath): void {
  if (facts.isFile()) return;
  const kind = facts.isDirectory() ? 'a folder' : 'not a regular file (a pipe, socket or device)';
  throw new AppError('bad_argument', `\`${resolved.relative || '.'}\` is ${kind}.`, {
    audience: 'model',
    hint: facts.isDirectory() ? 'Use list_dir to see what is in it.' : 'Only regular files can be used.',
    detail: { path: resolved.relative },
  });
}

async function readWhole(
  handle: FileHandle,
  facts: Stats,
  resolved: ResolvedPath,
  limits: { maxBytes?: number; signal?: AbortSignal },
): Promise<FileBytes> {
  const maxBytes = limits.maxBytes ?? MAX_FILE_BYTES;
  if (facts.size > maxBytes) {
    throw new AppError(
      'file_too_large',
      `\`${resolved.relative}\` has ${formatMegabytes(facts.size)}; the limit is ${formatMegabytes(maxBytes)}.`,
      {
        audience: 'model',
        hint: 'Search it with grep, read a part of it, or work on it with a command.',
        detail: { path: resolved.relative, sizeBytes: facts.size, maxBytes },
      },
    );
  }
  const bytes = await handle.readFile(limits.signal === undefined ? {} : { signal: limits.signal });
  return fileBytes(bytes, facts);
}

function fileBytes(bytes: Buffer, facts: Stats): FileBytes {
  return {
    bytes,
    hash: sha256(bytes),
    mode: facts.mode & 0o7777,
    mtimeMs: facts.mtimeMs,
    sizeBytes: bytes.length,
  };
}

async function scanFile(
  handle: FileHandle,
  facts: Stats,
  onChunk: (chunk: Buffer) => boolean,
  signal: AbortSignal | undefined,
): Promise<{ sizeBytes: number }> {
  for (;;) {
    if (signal?.aborted === true)
      throw new AppError('cancelled', 'Reading was stopped.', { audience: 'log' });
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(SCAN_CHUNK_BYTES),
      0,
      SCAN_CHUNK_BYTES,
    );
    if (bytesRead === 0 || !onChunk(buffer.subarray(0, bytesRead))) return { sizeBytes: facts.size };
  }
}

async function writeFile(
  jail: PathJail,
  name: string,
  bytes: Buffer,
  conditions: NonNullable<Parameters<WorkspaceFiles['writeBytes']>[2]>,
  disk: DiskSteps | undefined,
): Promise<{ hash: string; mtimeMs: number; named: Promise<void> }> {
  const resolved = await jail.resolve(name);
  if (resolved.realRelative === '') {
    throw new AppError('bad_argument', 'The project folder itself is not a file.', { audience: 'model' });
  }
  const old = await jail.pace.ask(
    () => lstatSync(resolved.absolute, { throwIfNoEntry: false }) ?? null,
    () => lstat(resolved.absolute).catch(absent),
  );
  if (old !== null) requireWritable(old, resolved, conditions.evenReadOnly);
  const folder = path.dirname(resolved.absolute);
  if (old === null) await mkdir(folder, { recursive: true }).catch(ioFailure(resolved));
  const { mtimeMs, named } = await atomicWrite({
    folder,
    name: path.basename(resolved.absolute),
    bytes,
    mode: conditions.mode ?? (old === null ? undefined : old.mode & 0o7777),
    checkFolder: (real) => {
      if (real !== folder || !jail.contains(real)) throw folderMoved(resolved);
    },
    checkTarget: async (target) => {
      conditions.onStaged?.();
      await conditions.after;
      await requireExpected(target, resolved, conditions.expectedHash);
    },
    leavesFolder: conditions.leavesFolder,
    namesLater: conditions.namesLater,
    onBegun: conditions.onBegun,
    pace: jail.pace,
    ...(disk === undefined ? {} : { disk }),
  });
  return { hash: sha256(bytes), mtimeMs, named };
}

async function removeFile(
  jail: PathJail,
  name: string,
  { expectedHash, evenReadOnly, leavesFolder }: Parameters<WorkspaceFiles['removeFile']>[1],
): Promise<void> {
  const resolved = await existing(jail, name);
  requireWritable(await lstat(resolved.absolute).catch(ioFailure(resolved)), resolved, evenReadOnly);
  const folder = path.dirname(resolved.absolute);
  await atomicRemove({
    folder,
    name: path.basename(resolved.absolute),
    checkFolder: (real) => {
      if (real !== folder || !jail.contains(real)) throw folderMoved(resolved);
    },
    checkTarget: (target) => requireExpected(target, resolved, expectedHash),
    leavesFolder,
  });
}

function requireWritable(facts: Stats, resolved: ResolvedPath, evenReadOnly = false): void {
  requireRegular(facts, resolved);
  // A rename would replace a read-only file without complaint, and root may write anything: so the bits are asked.
  if (evenReadOnly || (facts.mode & 0o222) !== 0) return;
  throw new AppError('io_failed', `\`${resolved.relative}\` is read-only.`, {
    hint: 'Make the file writable first if it really is to be changed.',
    detail: { path: resolved.relative },
  });
}

async function requireExpected(
  target: string,
  resolved: ResolvedPath,
  expected: string | null | undefined,
): Promise<void> {
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (now?.isSymbolicLink() === true) throw folderMoved(resolved);
  if (expected === undefined) return;
  const actual = now === undefined ? null : await hashNow(target, now.size);
  if (actual === expected) return;
  throw new AppError('stale', staleMessage(resolved.relative, expected, actual), {
    hint: 'Read the file again and redo the change on what is there now.',
    audience: 'model',
    detail: { path: resolved.relative, expected, actual },
  });
}

async function hashNow(target: string, sizeBytes: number): Promise<string> {
  // A small file that was just read comes from memory: faster than a trip to the thread pool.
  if (sizeBytes <= SMALL_FILE_BYTES) return sha256(readFileSync(target, { flag: READ_FLAGS }));
  const handle = await open(target, READ_FLAGS);
  try {
    return sha256(await handle.readFile());
  } finally {
    await handle.close();
  }
}

function staleMessage(relative: string, expected: string | null, actual: string | null): string {
  if (expected === null) return `\`${relative}\` exists by now; it was to be a new file.`;
  if (actual === null) return `\`${relative}\` was deleted in the meantime.`;
  return `\`${relative}\` was changed on disk in the meantime.`;
}

async function listFolder(jail: PathJail, name: string): Promise<FolderEntry[]> {
  const resolved = await existing(jail, name);
  const entries = await readdir(resolved.absolute, { withFileTypes: true }).catch(ioFailure(resolved));
  return entries
    .filter((entry) => !entry.name.startsWith(TEMP_FILE_PREFIX))
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function absent(error: unknown): null {
  if (errno(error) === 'ENOENT') return null;
  throw error;
}

function ioFailure(resolved: ResolvedPath): (error: unknown) => never {
  return (error) => {
    const code = errno(error);
    if (code === 'ENOENT') throw notFound(resolved.relative);
    if (code === 'ELOOP') throw folderMoved(resolved);
    if (code === 'ENOTDIR') {
      throw new AppError('bad_argument', `\`${resolved.relative || '.'}\` is not a folder.`, {
        audience: 'model',
      });
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError(code === 'ENOSPC' ? 'disk_full' : 'io_failed', `\`${resolved.relative}\`: ${why}`, {
      hint: 'Check the permissions of the file and its folder.',
      detail: { path: resolved.relative, errno: code },
      cause: error,
    });
  };
}

const notFound = (relative: string): AppError =>
  new AppError('not_found', `\`${relative}\` does not exist.`, {
    audience: 'model',
    detail: { path: relative },
  });

const leadsOut = (resolved: ResolvedPath): AppError =>
  new AppError('symlink_escape', `\`${resolved.relative}\` leads out of the project folder.`, {
    audience: 'model',
    detail: { path: resolved.relative },
  });

const folderMoved = (resolved: ResolvedPath): AppError =>
  new AppError('symlink_escape', `\`${resolved.relative}\` was replaced by a link while it was being used.`, {
    audience: 'model',
    hint: 'Nothing was written. Look at the folder and try again.',
    detail: { path: resolved.relative },
  });

function formatMegabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
