import type { Stats } from 'node:fs';
import { EntryState } from '../../../../shared/model/change';
import { sha256 } from '../../workspace/workspace-files';

/** What the kernel says of an entry; a change of content changes at least one of these. */
export interface EntryFacts {
  sizeBytes: number;
  mtimeMs: number;
  ctimeMs: number;
  inode: number;
  mode: number;
}

/** Where an entry stands in the list that a second thread works on; -1 while it is not in it. */
interface Listed {
  at: number;
}

/** A file or link as it was seen last. */
export interface LeafEntry extends EntryFacts, Listed {
  kind: 'file' | 'link';
  /** Null where the content is not covered: over a limit. */
  hash: string | null;
  isKept: boolean;
  /** Changed in the very moment it was looked at: the times can't tell whether it changed again. */
  isRacy: boolean;
}

/** A folder that is ignored or lies over a limit, or an ignored large file: only looked at from outside. */
export interface ClosedEntry extends EntryFacts, Listed {
  kind: 'closed';
  isFolder: boolean;
  /** It is ignored; else it lies over a limit. */
  isIgnored: boolean;
}

export interface FolderNode extends EntryFacts {
  kind: 'folder';
  entries: Map<string, TreeEntry>;
  isRacy: boolean;
  /** It is ignored, and looked into because a running command names it. */
  isOpened?: boolean;
}

export type TreeEntry = LeafEntry | ClosedEntry | FolderNode;

/** A path whose content, kind or mode is another than at the look before. */
export interface Difference {
  path: string;
  movedFrom: string | null;
  before: EntryState | null;
  after: EntryState | null;
}

/** A difference with what tells a moved file from a copied one. */
export type Found = Difference & { inode: number };

export const factsOf = (stats: Stats): EntryFacts => ({
  sizeBytes: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  inode: stats.ino,
  mode: stats.mode & 0o7777,
});

export const isSame = (entry: EntryFacts, stats: Stats): boolean =>
  entry.mtimeMs === stats.mtimeMs &&
  entry.ctimeMs === stats.ctimeMs &&
  entry.inode === stats.ino &&
  entry.sizeBytes === stats.size;

/** Null for what is not followed: pipes, sockets, devices. */
export function kindOf(facts: Stats): 'file' | 'link' | null {
  if (facts.isSymbolicLink()) return 'link';
  return facts.isFile() || facts.isDirectory() ? 'file' : null;
}

/** Stands in for the hash of a content that is not covered: tells one version from the next, and matches no content. */
const versionOf = ({ sizeBytes, mtimeMs, inode }: EntryFacts): string =>
  sha256(Buffer.from(`not covered ${sizeBytes} ${mtimeMs} ${inode}`));

export function stateOf(entry: LeafEntry): EntryState {
  return EntryState.parse({
    kind: entry.kind,
    hash: entry.hash ?? versionOf(entry),
    mode: entry.kind === 'link' ? 0 : entry.mode,
    sizeBytes: entry.sizeBytes,
    isKept: entry.hash !== null && entry.isKept,
  });
}

const NOTHING = sha256(Buffer.alloc(0));

export const folderState = ({ mode }: EntryFacts): EntryState =>
  EntryState.parse({ kind: 'folder', hash: NOTHING, mode, sizeBytes: 0, isKept: true });

/** Contents could not be kept after all: entries and differences that a look found say so. */
export function loseContents(
  lost: ReadonlySet<string>,
  entries: Iterable<TreeEntry | null>,
  found: readonly Found[],
): void {
  if (lost.size === 0) return;
  for (const entry of entries) {
    if (entry === null || entry.kind === 'folder' || entry.kind === 'closed' || entry.hash === null) continue;
    if (lost.has(entry.hash)) entry.isKept = false;
  }
  for (const difference of found) {
    const { after } = difference;
    if (after?.isKept === true && lost.has(after.hash)) difference.after = { ...after, isKept: false };
  }
}
