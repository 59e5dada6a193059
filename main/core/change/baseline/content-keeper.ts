import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../../workspace/workspace-files';
import { blobPath, MAX_KEPT_BYTES } from '../blobs/blob-store';
import { PACKED } from '../blobs/packing';

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A content's size on the disk, plain or packed; null when it is not there. */
function sizeThere(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/**
 * Keeps contents in the folder of the blob store, in a thread of its own and without a sync: a content that a power cut
 * tears no longer fits its hash and counts as not kept.
 */
export class ContentKeeper {
  private readonly folders = new Set<string>();

  constructor(private readonly dir: string) {}

  /** @returns whether the content is there; false on a full disk */
  keep(bytes: Buffer, hash: string): boolean {
    const target = blobPath(this.dir, hash);
    try {
      this.makeFolder(dirname(target));
      writeFileSync(target, bytes, { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return this.mend(target, bytes);
      this.folders.clear();
      return false;
    }
  }

  /** One that is there may have been torn by a power cut. */
  private mend(target: string, bytes: Buffer): boolean {
    try {
      if (sizeThere(target) !== bytes.length) writeFileSync(target, bytes, { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  isThere(hash: string, sizeBytes: number): boolean {
    const target = blobPath(this.dir, hash);
    return sizeThere(target) === sizeBytes || sizeThere(target + PACKED) !== null;
  }

  private makeFolder(folder: string): void {
    if (this.folders.has(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.folders.add(folder);
  }
}

/** Bytes and hash of a regular file; null when it is gone, no file any more, unreadable or over the limit. */
export function readContent(absolute: string): { bytes: Buffer; hash: string } | null {
  let fd: number;
  try {
    fd = openSync(absolute, READ_FLAGS);
  } catch {
    return null;
  }
  try {
    const facts = fstatSync(fd);
    if (!facts.isFile() || facts.size > MAX_KEPT_BYTES) return null;
    const bytes = readFileSync(fd);
    return { bytes, hash: sha256(bytes) };
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
