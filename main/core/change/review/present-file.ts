import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EntryState } from '../../../../shared/model/change';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import type { WorkspaceFiles } from '../../workspace/types';
import { sha256 } from '../../workspace/workspace-files';

/** What is at a path now. */
export interface Present {
  state: EntryState;
  /** Null for a file that is too large to be kept, and for folders. */
  bytes: Buffer | null;
}

/** @returns null when there is nothing, or nothing that the log knows (a pipe, a device) */
export async function presentAt(files: WorkspaceFiles, path: string): Promise<Present | null> {
  const absolute = join(files.root, path);
  const facts = await lstat(absolute).catch(() => null);
  if (facts === null) return null;
  const state = (kind: EntryState['kind'], hash: string, mode: number, sizeBytes: number): EntryState =>
    EntryState.parse({ kind, hash, mode, sizeBytes, isKept: sizeBytes <= MAX_KEPT_BYTES });
  if (facts.isSymbolicLink()) {
    const bytes = Buffer.from(await readlink(absolute));
    return { state: state('link', sha256(bytes), 0, bytes.length), bytes };
  }
  if (facts.isDirectory())
    return { state: state('folder', sha256(Buffer.alloc(0)), facts.mode & 0o7777, 0), bytes: null };
  if (!facts.isFile()) return null;
  if (facts.size > MAX_KEPT_BYTES) {
    const hash = (await files.hashOf(path)) ?? '';
    return { state: state('file', hash, facts.mode & 0o7777, facts.size), bytes: null };
  }
  const { bytes, hash, mode } = await files.readBytes(path);
  return { state: state('file', hash, mode, bytes.length), bytes };
}

/** Changes whenever a file may have changed: what is known of a path holds as long as this stays the same. */
export async function stampOf(files: WorkspaceFiles, path: string): Promise<string> {
  const facts = await lstat(join(files.root, path), { bigint: true }).catch(() => null);
  return facts === null ? '' : `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs} ${facts.mode}`;
}
