import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/error';
import type { FileBytes, WorkspaceFiles } from '../workspace/types';
import { sha256 } from '../workspace/workspace-files';

/** Larger files are edited without a kept copy; a revert then says so (faults §1.4). */
const MAX_KEPT_BYTES = 5 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** Bytes of files as they were before an edit, stored once per content under their hash. */
export class BeforeImages {
  private readonly known = new Set<string>();

  constructor(private readonly dir: string) {}

  async keep(bytes: Buffer, hash: string): Promise<void> {
    if (bytes.length > MAX_KEPT_BYTES || this.known.has(hash)) return;
    const folder = join(this.dir, hash.slice(0, 2));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const target = join(folder, hash);
    const temporary = `${target}.${process.pid}`;
    await writeFile(temporary, bytes, { mode: 0o600 });
    await rename(temporary, target);
    this.known.add(hash);
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
    writeBytes: async (path, bytes, options) => {
      const before = lastRead.bytes(path, options?.expectedHash) ?? (await readBefore(files, path));
      const replaced = before === null ? [] : [before];
      const passed = (options?.passed ?? []).map((step) => ({ bytes: step, hash: sha256(step) }));
      const kept = [...replaced, ...passed].map((image) =>
        images.keep(image.bytes, image.hash).catch(() => undefined),
      );
      const [written] = await Promise.all([files.writeBytes(path, bytes, options), ...kept]);
      return written;
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
