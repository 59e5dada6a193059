import { expect, test } from 'vitest';
import type { FileEntry } from '../../../shared/contract/files';
import { treeMove, typeAhead, type EntryRow } from './tree-keys';
import {
  dropTarget,
  EMPTY_TREE,
  folderFor,
  foldersToRefresh,
  missingFolders,
  rowsOf,
  withFailure,
  withListing,
  type TreeState,
} from './tree-model';

const entry = (path: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  kind,
  target: null,
  ignored: false,
});

const expanded = (state: TreeState, ...paths: string[]): TreeState => ({
  ...state,
  expanded: new Set(paths),
});
const root = withListing(EMPTY_TREE, '', [
  entry('src', 'folder'),
  entry('test', 'folder'),
  entry('a.ts'),
  entry('b.ts'),
]);
const tree = expanded(withListing(root, 'src', [entry('src/app', 'folder'), entry('src/index.ts')]), 'src');
const shown = (state: TreeState): string[] => rowsOf(state, null).map((row) => `${row.depth}${row.key}`);
const entries = (state: TreeState): EntryRow[] => rowsOf(state, null).filter((row) => row.kind === 'entry');

test('rows are what is open, in order and depth, with places for screen readers', () => {
  expect(shown(tree)).toEqual(['0/src', '1/src/app', '1/src/index.ts', '0/test', '0/a.ts', '0/b.ts']);
  expect(rowsOf(tree, null)[2]).toMatchObject({ position: 2, setSize: 2, expanded: null });
});

test('an open folder says whether it waits, is empty or can not be read', () => {
  const state = expanded(
    withListing(withFailure(root, 'src', { code: 'io_failed', message: 'no', audience: 'user' }), 'x', []),
    'src',
    'test',
  );
  expect(shown(state)).toEqual(['0/src', '1!src', '0/test', '1…test', '0/a.ts', '0/b.ts']);
  expect(shown(withListing(EMPTY_TREE, '', []))).toEqual(['00']);
});

test('the field for a new name stands first in its folder', () => {
  const rows = rowsOf(tree, { kind: 'create', folder: 'src', what: 'file' });
  expect(rows[1]).toMatchObject({ kind: 'draft', depth: 1, folder: 'src' });
});

test('only open folders on screen are loaded', () => {
  expect(missingFolders(EMPTY_TREE)).toEqual(['']);
  expect(missingFolders(expanded(root, 'src', 'src/app', 'gone'))).toEqual(['src']);
});

test('a folder that vanished takes its contents along; one that came back opens again', () => {
  const without = withListing(tree, '', [entry('test', 'folder')]);
  expect([...without.folders.keys()]).toEqual(['']);
  expect(missingFolders(withListing(without, '', [entry('src', 'folder')]))).toEqual(['src']);
});

test('a list that is the same again changes nothing', () => {
  expect(withListing(tree, 'src', [entry('src/app', 'folder'), entry('src/index.ts')])).toBe(tree);
});

test('only the lists that a change touches are read again', () => {
  const refresh = (path: string, change: 'created' | 'changed' | 'removed'): string[] =>
    foldersToRefresh(tree, { paths: [{ path, change }], overflow: false });
  expect(refresh('src/index.ts', 'changed')).toEqual([]);
  expect(refresh('src/new.ts', 'created')).toEqual(['src']);
  expect(refresh('src/index.ts', 'removed')).toEqual(['src']);
  expect(refresh('test/deep/x.ts', 'created')).toEqual([]);
  expect(refresh('.gitignore', 'changed')).toEqual(['', 'src']);
  expect(foldersToRefresh(tree, { paths: [], overflow: true })).toEqual(['', 'src']);
});

test('arrows walk the tree as the ARIA pattern says', () => {
  const move = (key: string, from: string) => treeMove(key, entries(tree), from, 3);
  expect(move('ArrowDown', 'src')).toEqual({ kind: 'select', path: 'src/app' });
  expect(move('ArrowRight', 'src')).toEqual({ kind: 'select', path: 'src/app' });
  expect(move('ArrowRight', 'test')).toEqual({ kind: 'expand', path: 'test' });
  expect(move('ArrowRight', 'a.ts')).toBeNull();
  expect(move('ArrowLeft', 'src')).toEqual({ kind: 'collapse', path: 'src' });
  expect(move('ArrowLeft', 'src/index.ts')).toEqual({ kind: 'select', path: 'src' });
  expect(move('End', 'src')).toEqual({ kind: 'select', path: 'b.ts' });
  expect(move('PageDown', 'src')).toEqual({ kind: 'select', path: 'test' });
  expect(treeMove('ArrowDown', entries(tree), null, 3)).toEqual({ kind: 'select', path: 'src' });
});

test('typed letters find the next name; the same letter again goes on', () => {
  expect(typeAhead(entries(tree), 'src', 'b')).toBe('b.ts');
  expect(typeAhead(entries(tree), 'src/app', 'a')).toBe('a.ts');
  expect(typeAhead(entries(tree), 'a.ts', 'aa')).toBe('src/app');
  expect(typeAhead(entries(tree), null, 'zzz')).toBeNull();
});

test('things are dropped where they change place and never into themselves', () => {
  expect(dropTarget('a.ts', 'src')).toBe('src/a.ts');
  expect(dropTarget('src/index.ts', 'src')).toBeNull();
  expect(dropTarget('src', 'src/app')).toBeNull();
  expect(dropTarget('src/app', '')).toBe('app');
  expect([folderFor(tree, 'src/index.ts'), folderFor(tree, 'test'), folderFor(tree, null)]).toEqual([
    'src',
    'test',
    '',
  ]);
});
