import { randomBytes } from 'node:crypto';
import { constants, existsSync, readlinkSync } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/error';
import { errno } from './path-jail';

/** Names of unfinished writes begin with this; watchers and listings skip them. */
export const TEMP_FILE_PREFIX = '.lathe-write-';

/** The two steps that a disk can refuse. Tests put a full disk in their place. */
export interface DiskSteps {
  write(handle: FileHandle, bytes: Buffer): Promise<void>;
  sync(handle: FileHandle): Promise<void>;
}

export const realDisk: DiskSteps = {
  write: (handle, bytes) => handle.writeFile(bytes),
  sync: (handle) => handle.sync(),
};

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
}

const LINUX_FD_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NOFOLLOW;

/**
 * Replaces a file in one step: temp file in the same folder → fsync → rename → fsync of the folder. A reader sees the old
 * bytes or the new ones, and any failure leaves the old ones.
 *
 * On Linux everything goes through a handle of the folder, so that a folder swapped for a link in between changes nothing
 * (sec-B14); elsewhere the folder's real path is checked again right before the rename.
 *
 * @throws AppError `disk_full`, `io_failed`, and whatever the two checks throw
 */
export async function atomicWrite(request: AtomicWrite): Promise<{ mtimeMs: number }> {
  const folder = await openFolder(request.folder);
  try {
    const base = folder !== null && LINUX_FD_PATHS ? `/proc/self/fd/${folder.fd}` : request.folder;
    const check = (): void => {
      request.checkFolder(folder !== null && LINUX_FD_PATHS ? readlinkSync(base) : request.folder);
    };
    check();
    const written = await writeTemp(base, request);
    await replaceTarget(base, written.temp, request, check);
    await syncFolder(folder);
    return { mtimeMs: written.mtimeMs };
  } catch (error) {
    throw asAppError(error, path.join(request.folder, request.name));
  } finally {
    await folder?.close();
  }
}

/** Windows can't open folders; there the rename alone has to do. */
async function openFolder(folder: string): Promise<FileHandle | null> {
  if (process.platform === 'win32') return null;
  try {
    return await open(folder, FOLDER_FLAGS);
  } catch (error) {
    throw asAppError(error, folder);
  }
}

async function writeTemp(base: string, request: AtomicWrite): Promise<{ temp: string; mtimeMs: number }> {
  const disk = request.disk ?? realDisk;
  const temp = path.join(base, `${TEMP_FILE_PREFIX}${randomBytes(6).toString('hex')}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  const handle = await open(temp, flags, request.mode ?? 0o666);
  try {
    // The mode given to open() is cut by the umask; an existing file's mode is kept as it was.
    if (request.mode !== undefined) await handle.chmod(request.mode);
    await disk.write(handle, request.bytes);
    await disk.sync(handle);
    const { mtimeMs } = await handle.stat();
    await handle.close();
    return { temp, mtimeMs };
  } catch (error) {
    await handle.close().catch(ignoreSecondFailure);
    await unlink(temp).catch(ignoreSecondFailure);
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
    await rename(temp, target);
  } catch (error) {
    await unlink(temp).catch(ignoreSecondFailure);
    throw error;
  }
}

async function syncFolder(folder: FileHandle | null): Promise<void> {
  // Some network file systems refuse to sync folders; the file itself is already safe.
  await folder?.sync().catch(ignoreSecondFailure);
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
