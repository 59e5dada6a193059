import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  openSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  write,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/error';
import type { DiskPace } from './disk-pace';
import { errno } from './path-jail';

/** Names of unfinished writes begin with this; watchers and listings skip them. */
export const TEMP_FILE_PREFIX = '.lathe-write-';

/** The two steps that a disk can refuse or take long for, on a file descriptor. Tests put a full disk in their place. */
export interface DiskSteps {
  write(fd: number, bytes: Buffer): Promise<void>;
  sync(fd: number): Promise<void>;
}

const writeSome = promisify(write);
const syncFd = promisify(fsync);
/** Up to this size the copy into the system's cache is shorter than the way to the thread pool. */
const DIRECT_WRITE_BYTES = 128 * 1024;

export const realDisk: DiskSteps = {
  write: async (fd, bytes) => {
    if (bytes.length <= DIRECT_WRITE_BYTES) {
      writeFileSync(fd, bytes);
      return;
    }
    for (let done = 0; done < bytes.length;) {
      done += (await writeSome(fd, bytes, done, bytes.length - done)).bytesWritten;
    }
  },
  sync: (fd) => syncFd(fd),
};

/** Makes the names in a folder durable. Some network file systems refuse, Windows can't: then the rename has to do. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, FOLDER_FLAGS);
  try {
    await syncFd(fd).catch(ignoreSecondFailure);
  } finally {
    closeSync(fd);
  }
}

export interface AtomicWrite {
  /** Absolute real path of the folder; it must exist. */
  folder: string;
  name: string;
  bytes: Buffer;
  /** Permission bits of the file to keep; undefined for a new file (the process's umask decides). */
  mode: number | undefined;
  /** Throws when the folder that was opened is not (or no longer) allowed; gets its real path. */
  checkFolder(realFolder: string): void;
  /** The last look at the old file before it is replaced; throws to give up. */
  checkTarget(target: string): Promise<void>;
  disk?: DiskSteps;
  /** The caller makes the names in the folder durable, for many files at once. */
  leavesFolder?: boolean | undefined;
  /** The names are made durable in the thread pool; the result tells when that is done. */
  namesLater?: boolean | undefined;
  /** Called once the disk has got something to do that this thread does not wait for. */
  onBegun?: (() => void) | undefined;
  /** How quick the disk is; without it nothing that may take long is done on this thread. */
  pace?: DiskPace;
}

export interface AtomicallyWritten {
  mtimeMs: number;
  /** Settles when the new name is durable, as far as the file system takes part; never rejects. */
  named: Promise<void>;
}

const NAMED = Promise.resolve();

const LINUX_FD_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NOFOLLOW;

/**
 * Replaces a file in one step: temp file in the same folder → fsync → rename → fsync of the folder. A reader sees the old
 * bytes or the new ones, and any failure leaves the old ones.
 *
 * On Linux everything goes through a handle of the folder, so that a folder swapped for a link in between changes nothing
 * (sec-B14); elsewhere the folder's real path is checked again right before the rename. Writing and syncing are left to the
 * thread pool; the steps that only touch names take microseconds and are not worth the way there and back.
 *
 * @throws AppError `disk_full`, `io_failed`, and whatever the two checks throw
 */
export async function atomicWrite(request: AtomicWrite): Promise<AtomicallyWritten> {
  let folder: number | null = null;
  try {
    folder = openFolder(request.folder);
    const base = folder !== null && LINUX_FD_PATHS ? `/proc/self/fd/${folder}` : request.folder;
    const check = (): void => {
      request.checkFolder(folder !== null && LINUX_FD_PATHS ? readlinkSync(base) : request.folder);
    };
    check();
    const written = await writeTemp(base, request);
    await replaceTarget(base, written.temp, request, check);
    const { mtimeMs } = written;
    if (folder === null || request.leavesFolder === true) return { mtimeMs, named: NAMED };
    if (request.namesLater === true) {
      const handle = folder;
      folder = null;
      return {
        mtimeMs,
        named: syncFd(handle)
          .catch(ignoreSecondFailure)
          .finally(() => closeSync(handle)),
      };
    }
    // Some network file systems refuse to sync folders; the file itself is already safe.
    await syncNames(folder, request.pace);
    return { mtimeMs, named: NAMED };
  } catch (error) {
    throw asAppError(error, path.join(request.folder, request.name));
  } finally {
    if (folder !== null) closeSync(folder);
  }
}

/**
 * Removes a file through a handle of its folder, as {@link atomicWrite} writes one.
 *
 * @throws AppError `io_failed`, and whatever the two checks throw
 */
export async function atomicRemove(
  request: Pick<AtomicWrite, 'folder' | 'name' | 'checkFolder' | 'checkTarget' | 'leavesFolder'>,
): Promise<void> {
  let folder: number | null = null;
  try {
    folder = openFolder(request.folder);
    const base = folder !== null && LINUX_FD_PATHS ? `/proc/self/fd/${folder}` : request.folder;
    const target = path.join(base, request.name);
    await request.checkTarget(target);
    request.checkFolder(folder !== null && LINUX_FD_PATHS ? readlinkSync(base) : request.folder);
    unlinkSync(target);
    if (folder !== null && request.leavesFolder !== true) await syncFd(folder).catch(ignoreSecondFailure);
  } catch (error) {
    throw asAppError(error, path.join(request.folder, request.name));
  } finally {
    if (folder !== null) closeSync(folder);
  }
}

/** One name in a journal: on a quick disk that takes less than the way to the thread pool and back. */
async function syncNames(folder: number, pace: DiskPace | undefined): Promise<void> {
  const pooled = (): Promise<void> => syncFd(folder);
  const synced = pace === undefined ? pooled() : pace.ask(() => fsyncSync(folder), pooled);
  await synced.catch(ignoreSecondFailure);
}

/** Windows can't open folders; there the rename alone has to do. */
function openFolder(folder: string): number | null {
  return process.platform === 'win32' ? null : openSync(folder, FOLDER_FLAGS);
}

async function writeTemp(base: string, request: AtomicWrite): Promise<{ temp: string; mtimeMs: number }> {
  const disk = request.disk ?? realDisk;
  const temp = path.join(base, `${TEMP_FILE_PREFIX}${randomUUID()}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  const fd = openSync(temp, flags, request.mode ?? 0o666);
  let open = true;
  try {
    // The mode given to open() is cut by the umask; an existing file's mode is kept as it was.
    if (request.mode !== undefined) fchmodSync(fd, request.mode);
    const writing = disk.write(fd, request.bytes);
    if (request.bytes.length > DIRECT_WRITE_BYTES) request.onBegun?.();
    await writing;
    const syncing = disk.sync(fd);
    request.onBegun?.();
    await syncing;
    const { mtimeMs } = fstatSync(fd);
    // Closing may report a failed write, on network file systems above all.
    open = false;
    closeSync(fd);
    return { temp, mtimeMs };
  } catch (error) {
    if (open) closeSync(fd);
    removeTemp(temp);
    throw error;
  }
}

async function replaceTarget(
  base: string,
  temp: string,
  request: AtomicWrite,
  check: () => void,
): Promise<void> {
  const target = path.join(base, request.name);
  try {
    await request.checkTarget(target);
    check();
    renameSync(temp, target);
  } catch (error) {
    removeTemp(temp);
    throw error;
  }
}

function removeTemp(temp: string): void {
  try {
    unlinkSync(temp);
  } catch {
    ignoreSecondFailure();
  }
}

/** The first failure is the one to report; cleaning up is best effort. */
function ignoreSecondFailure(): void {}

function asAppError(error: unknown, target: string): AppError {
  if (error instanceof AppError) return error;
  const code = errno(error);
  const name = path.basename(target);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('disk_full', `\`${name}\` was not written: the disk is full.`, {
      hint: 'Free some space and try again. The old contents are untouched.',
      detail: { path: target },
      cause: error,
    });
  }
  const why = error instanceof Error ? error.message : String(error);
  return new AppError('io_failed', `\`${name}\` was not written: ${why}`, {
    hint: 'Check the permissions of the file and its folder. The old contents are untouched.',
    detail: { path: target, errno: code },
    cause: error,
  });
}
