import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/error';
import { realDisk, syncFolder } from '../workspace/atomic-write';
import { namesComeWithFiles } from '../workspace/disk-pace';
import type { FileBytes, WorkspaceFiles } from '../workspace/types';
import { sha256 } from '../workspace/workspace-files';

/** Larger files are edited without a kept copy; a revert then says so (faults §1.4). */
const MAX_KEPT_BYTES = 5 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** Writes a new file and syncs it together with the folders that have to know of it. @throws also when it exists */
async function create(target: string, bytes: Buffer, folders: readonly string[]): Promise<void> {
  const fd = openSync(target, 'wx', 0o600);
  try {
    await realDisk.write(fd, bytes);
    await Promise.all([realDisk.sync(fd), ...folders.map(syncFolder)]);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Bytes of files as they were before an edit, stored once per content under their hash. */
export class BeforeImages {
  private readonly known = new Set<string>();
  private readonly folders = new Set<string>();
  private withNames: Promise<boolean> | null = null;

  constructor(private readonly dir: string) {}

  /**
   * Keeps an image; when this resolves, the image outlives a power cut. One that is there already is trusted only with the
   * right content: an earlier process may have died while it wrote.
   */
  async keep(bytes: Buffer, hash: string): Promise<void> {
    if (bytes.length > MAX_KEPT_BYTES || this.known.has(hash)) return;
    const folder = join(this.dir, hash.slice(0, 2));
    const target = join(folder, hash);
    try {
      const toSync = [folder, ...this.makeFolder(folder)];
      this.withNames ??= namesComeWithFiles(this.dir);
      await create(target, bytes, (await this.withNames) ? [] : toSync);
    } catch (error) {
      this.folders.delete(folder);
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await this.replace(target, bytes);
    }
    this.known.add(hash);
  }

  /** @returns folders whose entries are new */
  private makeFolder(folder: string): string[] {
    if (this.folders.has(folder)) return [];
    const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.folders.add(folder);
    return first === undefined ? [] : [...new Set([dirname(first), dirname(folder)])];
  }

  /** A whole image is left as it is; it may be another process's that has not reached the disk yet, so it is synced. */
  private async replace(target: string, bytes: Buffer): Promise<void> {
    const there = await readFile(target).catch(() => null);
    if (there?.equals(bytes) !== true) {
      const temporary = `${target}.${randomUUID()}`;
      await create(temporary, bytes, []);
      renameSync(temporary, target);
    } else {
      const fd = openSync(target, 'r');
      await realDisk.sync(fd).finally(() => closeSync(fd));
    }
    await syncFolder(dirname(target));
  }

  /** The bytes under this hash, or null when they were never kept or no longer match it. */
  async load(hash: string): Promise<Buffer | null> {
    if (!HASH.test(hash)) return null;
    const bytes = await readFile(join(this.dir, hash.slice(0, 2), hash)).catch(() => null);
    if (bytes === null) return null;
    return sha256(bytes) === hash ? bytes : null;
  }
}
/** Bytes that were just read: an edit reads the file it then replaces, and need not do so twice. */
class LastRead {
  private path = '';
  private file: FileBytes | null = null;

  note(path: string, file: FileBytes): void {
    [this.path, this.file] = [path, file];
  }

  /** The bytes of `path` when they are those with this hash. */
  bytes(path: string, hash: string | null | undefined): FileBytes | null {
    return this.path === path && this.file?.hash === hash ? this.file : null;
  }
}

/**
 * The same files, but every write keeps what it replaces and what it passed on the way. Used for everything an agent writes. An image that can't be kept
 * (disk full) stops no write: a revert then says that it is not there.
 */
export function keepBeforeImages(files: WorkspaceFiles, images: BeforeImages): WorkspaceFiles {
  const lastRead = new LastRead();
  return {
    root: files.root,
    resolve: (path) => files.resolve(path),
    readBytes: async (path, options) => {
      const file = await files.readBytes(path, options);
      lastRead.note(path, file);
      return file;
    },
    hashOf: (path) => files.hashOf(path),
    scan: (path, onChunk, options) => files.scan(path, onChunk, options),
    list: (path) => files.list(path),
    removeFile: async (path, options) => {
      const before = lastRead.bytes(path, options.expectedHash) ?? (await readBefore(files, path));
      if (before !== null) await images.keep(before.bytes, before.hash).catch(() => undefined);
      await files.removeFile(path, options);
    },
    writeBytes: async (path, bytes, options) => {
      const before = lastRead.bytes(path, options?.expectedHash) ?? (await readBefore(files, path));
      const steps = (options?.passed ?? []).map((step) => ({ bytes: step, hash: sha256(step) }));
      const kept = [...(before === null ? [] : [before]), ...steps].map((image) =>
        images.keep(image.bytes, image.hash).catch(() => undefined),
      );
      // Both go to the disk at the same time; the old bytes are gone only once their image is there for good.
      const after = Promise.all([options?.after, ...kept]);
      after.catch(() => undefined);
      return await files.writeBytes(path, bytes, { ...options, after });
    },
  };
}

/** What is there now; a missing or too large file has no image, every other failure stops the write. */
async function readBefore(files: WorkspaceFiles, path: string): Promise<FileBytes | null> {
  try {
    return await files.readBytes(path, { maxBytes: MAX_KEPT_BYTES });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'file_too_large'))
      return null;
    throw error;
  }
}
