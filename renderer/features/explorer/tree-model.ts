import type { FileEntry } from '../../../shared/contract/files';
import type { ErrorShape } from '../../../shared/error';
import { isWithin, joinPath, parentOf } from '../../lib/files/workspace-path';

/** What is known of the project's folders. `''` is the project folder, which is always open. */
export interface TreeState {
  folders: ReadonlyMap<string, readonly FileEntry[]>;
  failures: ReadonlyMap<string, ErrorShape>;
  expanded: ReadonlySet<string>;
}

/** A name that is being typed: a new entry in `folder`, or another name for `path`. */
export type Draft =
  { kind: 'create'; folder: string; what: 'file' | 'folder' } | { kind: 'rename'; path: string };

export type TreeRow =
  | {
      kind: 'entry';
      key: string;
      depth: number;
      entry: FileEntry;
      /** Null for what can't be opened up. */
      expanded: boolean | null;
      position: number;
      setSize: number;
    }
  | { kind: 'draft'; key: string; depth: number; folder: string; what: 'file' | 'folder' }
  | { kind: 'waiting'; key: string; depth: number; folder: string }
  | { kind: 'empty'; key: string; depth: number; folder: string }
  | { kind: 'failed'; key: string; depth: number; folder: string; error: ErrorShape };

export const EMPTY_TREE: TreeState = { folders: new Map(), failures: new Map(), expanded: new Set() };

export const isFolder = (entry: FileEntry): boolean => entry.kind === 'folder' || entry.target === 'folder';

function pushFolder(
  rows: TreeRow[],
  state: TreeState,
  draft: Draft | null,
  folder: string,
  depth: number,
): void {
  const entries = state.folders.get(folder);
  const error = state.failures.get(folder);
  if (draft?.kind === 'create' && draft.folder === folder) {
    rows.push({ kind: 'draft', key: `+${folder}`, depth, folder, what: draft.what });
  }
  if (error) rows.push({ kind: 'failed', key: `!${folder}`, depth, folder, error });
  else if (!entries) rows.push({ kind: 'waiting', key: `…${folder}`, depth, folder });
  else if (entries.length === 0) rows.push({ kind: 'empty', key: `0${folder}`, depth, folder });
  entries?.forEach((entry, index) => {
    const open = isFolder(entry) ? state.expanded.has(entry.path) : null;
    const position = { position: index + 1, setSize: entries.length };
    rows.push({ kind: 'entry', key: `/${entry.path}`, depth, entry, expanded: open, ...position });
    if (open === true) pushFolder(rows, state, draft, entry.path, depth + 1);
  });
}

/** The visible rows, top to bottom. */
export function rowsOf(state: TreeState, draft: Draft | null): TreeRow[] {
  const rows: TreeRow[] = [];
  pushFolder(rows, state, draft, '', 0);
  return rows;
}

/** Open folders on screen whose contents are not known yet. */
export function missingFolders(state: TreeState): string[] {
  const known = (path: string): boolean => state.folders.has(path) || state.failures.has(path);
  if (!known('')) return [''];
  const missing: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of state.folders.get(folder) ?? []) {
      if (!isFolder(entry) || !state.expanded.has(entry.path)) continue;
      if (known(entry.path)) walk(entry.path);
      else missing.push(entry.path);
    }
  };
  walk('');
  return missing;
}

function sameEntries(left: readonly FileEntry[], right: readonly FileEntry[]): boolean {
  const same = (a: FileEntry, b: FileEntry | undefined): boolean =>
    a.path === b?.path && a.kind === b.kind && a.target === b.target && a.ignored === b.ignored;
  return left.length === right.length && left.every((entry, index) => same(entry, right[index]));
}

/** Puts in what a folder holds now and forgets the folders that are not there any more. */
export function withListing(state: TreeState, folder: string, entries: readonly FileEntry[]): TreeState {
  const before = state.folders.get(folder);
  if (before && sameEntries(before, entries) && !state.failures.has(folder)) return state;
  const there = new Set(entries.filter(isFolder).map((entry) => entry.path));
  const gone = (before ?? []).filter((entry) => !there.has(entry.path)).map((entry) => entry.path);
  const kept = (path: string): boolean => !gone.some((removed) => isWithin(removed, path));
  const folders = new Map([...state.folders].filter(([path]) => kept(path)));
  const failures = new Map([...state.failures].filter(([path]) => kept(path)));
  failures.delete(folder);
  return { ...state, folders: folders.set(folder, entries), failures };
}

export function withFailure(state: TreeState, folder: string, error: ErrorShape): TreeState {
  const folders = new Map(state.folders);
  folders.delete(folder);
  return { ...state, folders, failures: new Map(state.failures).set(folder, error) };
}

/** Takes a failed folder's error away, so that it counts as not loaded. */
export function withoutFailure(state: TreeState, folder: string): TreeState {
  const failures = new Map(state.failures);
  failures.delete(folder);
  return { ...state, failures };
}

interface Batch {
  paths: readonly { path: string; change: 'created' | 'changed' | 'removed' }[];
  overflow: boolean;
}

/** Which loaded folders have to be listed again after `batch`: a change inside a file changes no list. */
export function foldersToRefresh(state: TreeState, batch: Batch): string[] {
  const known = [...new Set([...state.folders.keys(), ...state.failures.keys()])];
  const ignoreRules = batch.paths.some(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
  if (batch.overflow || ignoreRules) return known;
  const touched = new Set<string>();
  for (const { path, change } of batch.paths) {
    touched.add(path);
    const listed = state.folders.get(parentOf(path))?.some((entry) => entry.path === path);
    if (change !== 'changed' || listed === false) touched.add(parentOf(path));
  }
  return known.filter((folder) => touched.has(folder));
}

export function entryAt(state: TreeState, path: string): FileEntry | undefined {
  return state.folders.get(parentOf(path))?.find((entry) => entry.path === path);
}

/** The folder in which a new entry or a pasted one goes when `path` is selected. */
export function folderFor(state: TreeState, path: string | null): string {
  if (path === null) return '';
  const entry = entryAt(state, path);
  if (!entry) return '';
  return isFolder(entry) ? entry.path : parentOf(path);
}

/** Where an entry goes when it is put into `folder`; null when that would change nothing or lose itself. */
export function dropTarget(path: string, folder: string): string | null {
  if (isWithin(path, folder) || parentOf(path) === folder) return null;
  return joinPath(folder, path.slice(path.lastIndexOf('/') + 1));
}
