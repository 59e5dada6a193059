import { AppError } from '../../../shared/error';
import type { FileBytes, WorkspaceFiles } from '../workspace/types';
import { sha256 } from '../workspace/workspace-files';
import { MAX_KEPT_BYTES } from './blobs/blob-store';
import type { WriteFacts } from './log/write-facts';
import type { Blobs } from './types';

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
 * The same files, but every write keeps what it replaces and what it passed on the way, and in the background what it
 * leaves. Used for everything an agent writes. An image that can't be kept (disk full) stops no write: a revert then says
 * that it is not there.
 *
 * @param facts learns size and mode of everything that is read and written
 */
export function keepBeforeImages(files: WorkspaceFiles, images: Blobs, facts?: WriteFacts): WorkspaceFiles {
  const lastRead = new LastRead();
  return {
    root: files.root,
    resolve: (path) => files.resolve(path),
    readBytes: async (path, options) => {
      const file = await files.readBytes(path, options);
      lastRead.note(path, file);
      facts?.note(path, file);
      return file;
    },
    hashOf: (path) => files.hashOf(path),
    scan: (path, onChunk, options) => files.scan(path, onChunk, options),
    list: (path) => files.list(path),
    removeFile: async (path, options) => {
      const before = lastRead.bytes(path, options.expectedHash) ?? (await readBefore(files, path));
      if (before !== null) {
        facts?.note(path, before);
        await images.keep(before.bytes, before.hash).catch(() => undefined);
      }
      await files.removeFile(path, options);
      facts?.wrote(path, null);
    },
    writeBytes: async (path, bytes, options) => {
      const before = lastRead.bytes(path, options?.expectedHash) ?? (await readBefore(files, path));
      const steps = (options?.passed ?? []).map((step) => ({ bytes: step, hash: sha256(step) }));
      if (before !== null) facts?.note(path, before);
      for (const { bytes: step, hash } of steps) facts?.note(path, { hash, sizeBytes: step.length });
      const kept = [...(before === null ? [] : [before]), ...steps].map((image) =>
        images.keep(image.bytes, image.hash).catch(() => undefined),
      );
      // Both go to the disk at the same time; the old bytes are gone only once their image is there for good.
      const after = Promise.all([options?.after, ...kept]);
      after.catch(() => undefined);
      const written = await files.writeBytes(path, bytes, { ...options, after });
      facts?.note(path, { hash: written.hash, sizeBytes: bytes.length });
      facts?.wrote(path, written.hash);
      // Until the file changes again it is this image itself, so nothing waits for the copy.
      images.keep(bytes, written.hash, { lazy: true }).catch(() => undefined);
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
