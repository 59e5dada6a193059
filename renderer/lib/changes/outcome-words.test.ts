import { expect, test } from 'vitest';
import { UndoResult } from '../../../shared/model/change';
import { byConcern, inDoubt, isNothing, resultWords } from './outcome-words';

const result = (files: Record<string, string>, cannot: string[] = []): UndoResult =>
  UndoResult.parse({
    setId: null,
    files: Object.entries(files).map(([path, outcome]) => ({ path, outcome })),
    conflicts: [],
    cannot,
  });

test('an undo is in doubt when something that was asked for stays as it is', () => {
  expect(inDoubt(result({ 'a.ts': 'restored', 'b.ts': 'merged' }))).toBe(false);
  expect(inDoubt(result({ 'a.ts': 'restored', 'b.ts': 'conflict' }))).toBe(true);
  expect(inDoubt(result({ 'a.ts': 'not_kept' }))).toBe(true);
  expect(inDoubt(result({ 'a.ts': 'restored' }, ['The network was used.']))).toBe(true);
});

test('files that need a look come first, and the words count them', () => {
  const mixed = result({ 'a.ts': 'restored', 'b.ts': 'conflict', 'c.ts': 'merged', 'd.ts': 'not_kept' });
  expect(byConcern(mixed.files).map(({ path }) => path)).toEqual(['b.ts', 'd.ts', 'c.ts', 'a.ts']);
  expect(resultWords(mixed)).toBe('2 files changed, 1 file in conflict, 1 file not put back');
  expect(isNothing(mixed)).toBe(false);
  expect(isNothing(result({ 'a.ts': 'unchanged' }))).toBe(true);
});
