import { expect, test } from 'vitest';
import { goneStops } from '../../lib/review/review-data';
import { fileOf, hunk, ready, stateOf } from '../../lib/review/testing/review-samples';
import { foldsOf, reviewFolds, toggleFile, toggleList } from './review-folds';
import { MOST_FILES, MOST_HUNKS, reviewRows, rowAfter } from './review-rows';

const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `h${at}`);
const open = (...paths: string[]): Set<string> => new Set(paths);

test('files are one row each until they are opened into their hunks, long ones a row too', () => {
  const state = stateOf({ 'a.ts': ['1', '2'], 'b.ts': ['3'] });
  const kinds = (...paths: string[]) => reviewRows(state, open(...paths)).rows.map(({ kind }) => kind);
  expect(kinds()).toEqual(['file', 'file']);
  expect(kinds('a.ts')).toEqual(['file', 'hunk', 'hunk', 'file']);
  const file = fileOf('a.ts', 1);
  const long = { ...state, files: [file], texts: new Map([['a.ts', ready(file, [hunk('1', 500)])]]) };
  expect(reviewRows(long, open('a.ts')).rows.map(({ kind }) => kind)).toEqual(['file', 'hunk']);
});

test('a large review is cut to the first files and hunks, and the rest is counted', () => {
  const hunks = reviewRows(stateOf({ 'a.ts': ids(300) }), open('a.ts'));
  expect(hunks.rows).toHaveLength(1 + MOST_HUNKS + 1);
  expect(hunks.rows.at(-1)).toMatchObject({ kind: 'more', count: 300 - MOST_HUNKS });
  const files = Object.fromEntries(ids(50).map((id) => [`${id}.ts`, ['1']]));
  const cut = reviewRows(stateOf(files), open());
  expect(cut.rows).toHaveLength(MOST_FILES);
  expect(cut.moreFiles).toBe(50 - MOST_FILES);
  const next = reviewRows(stateOf(files, ['h0.ts\0']), open());
  expect(next.rows).toHaveLength(MOST_FILES);
  expect(next.moreFiles).toBe(49 - MOST_FILES);
});

test('after a decision the next change has the focus, over folded files too, and none when none is left', () => {
  const state = stateOf({ 'a.ts': ['1', '2'], 'b.ts': ['3'], 'c.ts': ['4'] });
  const { rows } = reviewRows(state, open('a.ts', 'c.ts'));
  const key = (name: string): string => rows.find((row) => row.key.startsWith(name))?.key ?? '';
  const [a, b] = state.files;
  const after = (at: string, path: typeof a, hunkId: string | null) =>
    rowAfter(rows, key(at), goneStops(state, { path: path?.path ?? null, hunkId }));
  expect(after('h\0a.ts\x001', a, '1')).toBe(key('h\0a.ts\x002'));
  expect(after('h\0a.ts\x002', a, '2')).toBe(key('f\0b.ts'));
  expect(after('f\0a.ts', a, null)).toBe(key('f\0b.ts'));
  expect(after('f\0b.ts', b, null)).toBe(key('h\0c.ts'));
  expect(after('h\0c.ts', state.files[2], '4')).toBe(key('f\0b.ts'));
  expect(after('f\0b.ts', undefined, null)).toBeNull();
});

test('what is open is remembered for each session, and a lone file opens with the list', () => {
  toggleList('one', ['a.ts']);
  toggleList('two', ['a.ts', 'b.ts']);
  toggleFile('two', 'b.ts');
  toggleList('one', ['a.ts']);
  const now = (id: string) => foldsOf(reviewFolds.get(), id);
  expect(now('one')).toEqual({ open: false, files: new Set(['a.ts']) });
  expect(now('two')).toEqual({ open: true, files: new Set(['b.ts']) });
  expect(now('three').open).toBe(false);
});
