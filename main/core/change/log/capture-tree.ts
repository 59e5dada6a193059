import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EntryState, type EntryKind } from '../../../../shared/model/change';
import { TEMP_FILE_PREFIX } from '../../workspace/atomic-write';
import { sha256 } from '../../workspace/workspace-files';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import type { Blobs } from '../types';

/** What one action of the user is followed up to: files and bytes below one folder. */
export interface TreeLimits {
  files: number;
  bytes: number;
}

const USUAL_LIMITS: TreeLimits = { files: 5_000, bytes: 128 * 1024 * 1024 };

export interface CapturedTree {
  /** By path relative to the project. */
  entries: Map<string, EntryState>;
  /** Paths that were left out: too many, too large, or of a repository's own. */
  notCovered: string[];
}

/** One entry's state with its bytes: a link's are its target, a folder has none. */
export function entryState(kind: EntryKind, bytes: Buffer, mode: number, isKept: boolean): EntryState {
  return EntryState.parse({
    kind,
    hash: sha256(bytes),
    mode: kind === 'link' ? 0 : mode & 0o7777,
    sizeBytes: bytes.length,
    isKept,
  });
}

/**
 * What lies at a path and below it, with all contents kept (without a sync). Links are not followed, folders are listed
 * where they are empty, `.git` is left out.
 */
export async function captureTree(
  root: string,
  path: string,
  blobs: Blobs,
  limits: TreeLimits = USUAL_LIMITS,
): Promise<CapturedTree> {
  const capture = new Capture(root, blobs, limits);
  await capture.visit(path);
  return { entries: capture.entries, notCovered: capture.notCovered };
}

class Capture {
  readonly entries = new Map<string, EntryState>();
  readonly notCovered: string[] = [];
  private bytes = 0;

  constructor(
    private readonly root: string,
    private readonly blobs: Blobs,
    private readonly limits: TreeLimits,
  ) {}

  async visit(path: string): Promise<void> {
    const absolute = join(this.root, path);
    const facts = await lstat(absolute).catch(() => null);
    if (facts === null) return;
    if (facts.isDirectory()) await this.folder(path, absolute, facts.mode);
    else if (this.entries.size >= this.limits.files || this.bytes + facts.size > this.limits.bytes)
      this.notCovered.push(path);
    else if (facts.isSymbolicLink())
      await this.add(path, 'link', await readlink(absolute, { encoding: 'buffer' }), 0);
    else if (facts.isFile()) await this.file(path, absolute, facts.mode, facts.size);
  }

  private async folder(path: string, absolute: string, mode: number): Promise<void> {
    const names = (await readdir(absolute).catch(() => [])).filter(
      (name) => !name.startsWith(TEMP_FILE_PREFIX),
    );
    if (names.length === 0) this.entries.set(path, entryState('folder', Buffer.alloc(0), mode, true));
    for (const name of names.sort()) {
      if (name === '.git') this.notCovered.push(`${path}/.git/`);
      else await this.visit(path === '' ? name : `${path}/${name}`);
    }
  }

  private async file(path: string, absolute: string, mode: number, size: number): Promise<void> {
    if (size > MAX_KEPT_BYTES * 10) {
      this.notCovered.push(path);
      return;
    }
    const bytes = await readFile(absolute).catch(() => null);
    if (bytes !== null) await this.add(path, 'file', bytes, mode);
  }

  private async add(path: string, kind: EntryKind, bytes: Buffer, mode: number): Promise<void> {
    this.bytes += bytes.length;
    const isKept = await this.blobs.keep(bytes, sha256(bytes), { lazy: true });
    this.entries.set(path, entryState(kind, bytes, mode, isKept));
  }
}
