import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { sha256 } from '../../workspace/workspace-files';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Content of a file or of a link (its target); null when it can't be had. */
export function readEntry(absolute: string, kind: 'file' | 'link'): { bytes: Buffer; hash: string } | null {
  if (kind === 'file') return readContent(absolute);
  try {
    const bytes = readlinkSync(absolute, { encoding: 'buffer' });
    return { bytes, hash: sha256(bytes) };
  } catch {
    return null;
  }
}

/** Bytes and hash of a regular file; null when it is gone, no file any more, unreadable or over the limit. */
function readContent(absolute: string): { bytes: Buffer; hash: string } | null {
  let fd: number;
  try {
    fd = openSync(absolute, READ_FLAGS);
  } catch {
    return null;
  }
  try {
    const facts = fstatSync(fd);
    if (!facts.isFile() || facts.size > MAX_KEPT_BYTES) return null;
    const bytes = readAll(fd, facts.size);
    return { bytes, hash: sha256(bytes) };
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/** The first bytes of a file, as many as its size says: it may get shorter or longer in this moment. */
function readAll(fd: number, sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let length = 0;
  while (length < sizeBytes) {
    const read = readSync(fd, bytes, length, sizeBytes - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
