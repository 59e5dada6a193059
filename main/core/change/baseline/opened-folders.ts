import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EntryState } from '../../../../shared/model/change';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import type { ClosedEntry, Difference, EntryFacts, FolderNode, TreeEntry } from './tree-entry';

/** What an ignored folder may hold to be looked into when a command names it. */
const MAX_FILES = 200;
const MAX_BYTES = 2 * 1024 * 1024;
/** Files that a command may make in it; what is more is noticed only. */
export const MAX_GROWN = 500;

export interface Closed {
  parent: FolderNode;
  name: string;
  path: string;
  entry: ClosedEntry;
}

/** The ignored folder or file that a path is, or lies in; null when it lies in none. */
export function closedAt(root: FolderNode, path: string): Closed | null {
  let parent = root;
  const names = path.split('/');
  for (const [depth, name] of names.entries()) {
    const entry = parent.entries.get(name);
    if (entry === undefined || (entry.kind !== 'folder' && entry.kind !== 'closed')) return null;
    if (entry.kind === 'closed')
      return entry.isIgnored ? { parent, name, path: names.slice(0, depth + 1).join('/'), entry } : null;
    parent = entry;
  }
  return null;
}

/** Whether what lies there is little enough to be read and kept. Looks no further than it must. */
export function isSmall(absolute: string, { isFolder }: ClosedEntry): boolean {
  const facts = lstatSync(absolute, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory() !== isFolder) return false;
  if (!isFolder) return facts.size <= MAX_KEPT_BYTES;
  let [files, bytes] = [0, 0];
  const folders = [absolute];
  for (const folder of folders) {
    for (const name of namesIn(folder)) {
      const each = lstatSync(join(folder, name), { throwIfNoEntry: false });
      files += 1;
      bytes += each?.isFile() === true ? each.size : 0;
      if (files > MAX_FILES || bytes > MAX_BYTES) return false;
      if (each?.isDirectory() === true) folders.push(join(folder, name));
    }
  }
  return true;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Takes folders that were opened out of the tree; `onShut` hears of each with all that was in it. */
export function shutFolders(
  root: FolderNode,
  onShut: (path: string, node: FolderNode, closed: ClosedEntry) => void,
): void {
  const visit = (node: FolderNode, path: string): void => {
    for (const [name, entry] of [...node.entries]) {
      if (entry.kind !== 'folder') continue;
      const own = path === '' ? name : `${path}/${name}`;
      if (entry.isOpened !== true) {
        visit(entry, own);
        continue;
      }
      const closed: ClosedEntry = { kind: 'closed', ...bare(entry), isFolder: true, isIgnored: true, at: -1 };
      node.entries.set(name, closed);
      onShut(own, entry, closed);
    }
  };
  visit(root, '');
}

const bare = ({ sizeBytes, mtimeMs, ctimeMs, inode, mode }: FolderNode): EntryFacts => ({
  ...{ sizeBytes, mtimeMs, ctimeMs, inode, mode },
});

/** Paths of everything in a folder of the tree. */
export function pathsIn(node: FolderNode, path: string): string[] {
  return [...node.entries].flatMap(([name, entry]: [string, TreeEntry]) => {
    const own = `${path}/${name}`;
    return entry.kind === 'folder' ? [own, ...pathsIn(entry, own)] : [own];
  });
}

/** Differences in these folders say so: what is built or fetched there is nobody's to review. */
export function markIgnored(differences: readonly Difference[], opened: ReadonlySet<string>): Difference[] {
  const folders = [...opened].map((path) => `${path}/`);
  const marked = (state: EntryState | null): EntryState | null => state && { ...state, isIgnored: true };
  return differences.map((each) =>
    folders.some((folder) => each.path.startsWith(folder))
      ? { ...each, before: marked(each.before), after: marked(each.after) }
      : each,
  );
}
