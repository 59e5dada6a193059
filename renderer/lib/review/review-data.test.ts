import { expect, test } from 'vitest';
import { lineNumbers, linePieces } from './line-pieces';
import { PIECE_LINES, reviewBlocks, stopsOf } from './review-blocks';
import { changesLeft, emptyReview, withFiles, type ReviewState } from './review-state';
import { decisionWords } from './spoken-words';
import { ALL, fileOf, hunk, ready, stateOf, turn } from './testing/review-samples';

const blocksOf = (state: ReviewState, folded: string[] = []) => reviewBlocks(state, new Set(folded));
const stopKeys = (state: ReviewState, folded: string[] = []): string[] =>
  stopsOf(blocksOf(state, folded)).map(({ key }) => key);

test('each hunk is a stop; a file that is not read yet, or has none, is one as a whole', () => {
  const state = stateOf({ 'a.ts': ['1', '2'], 'b.ts': null, 'c.bin': [] });
  expect(stopKeys(state)).toEqual(['a.ts\u00001', 'a.ts\u00002', 'b.ts\0', 'c.bin\0']);
  expect(stopKeys(state, ['a.ts'])).toEqual(['b.ts\0', 'c.bin\0']);
});

test('long hunks are drawn in pieces, of which only the first is a stop', () => {
  const file = fileOf('a.ts', 1);
  const texts = new Map([['a.ts', ready(file, [hunk('1', PIECE_LINES * 2 + 1)])]]);
  const blocks = blocksOf({ ...emptyReview(ALL), files: [file], texts });
  expect(blocks.map(({ kind }) => kind)).toEqual(['file', 'hunk', 'hunk', 'hunk']);
  expect(stopsOf(blocks)).toHaveLength(1);
});

test('what is being decided is off the page at once, with the head of a file that it was the last of', () => {
  const state = stateOf({ 'a.ts': ['1'], 'b.ts': ['1', '2'] }, ['a.ts\u00001', 'b.ts\u00002']);
  expect(stopKeys(state)).toEqual(['b.ts\u00001']);
  expect(blocksOf(state).filter(({ kind }) => kind === 'file')).toHaveLength(1);
  expect(changesLeft(state)).toBe(1);
});

test('a list that is a look ahead of the hunks takes a decided hunk off the count once', () => {
  const state = stateOf({ 'a.ts': ['1', '2', '3'] }, ['a.ts\u00001', 'a.ts\u00002']);
  expect(changesLeft(withFiles(state, [fileOf('a.ts', 2)]))).toBe(1);
});

test('a list that stayed the same keeps its files, and what is known of gone ones is let go', () => {
  const state = { ...stateOf({ 'a.ts': ['1'], 'b.ts': ['2'] }), notes: new Map([['b.ts', 'stale']]) };
  const next = withFiles(state, [fileOf('a.ts', 1)]);
  expect(next.files[0]).toBe(state.files[0]);
  expect([...next.texts.keys()]).toEqual(['a.ts']);
  expect(next.notes.size).toBe(0);
  expect(withFiles(state, [fileOf('a.ts', 2)]).files[0]).not.toBe(state.files[0]);
  const [renewed] = withFiles(state, [fileOf('a.ts', 1, { turns: [turn(1)] })]).files;
  expect(renewed).not.toBe(state.files[0]);
});

test('lines are drawn in few pieces that join to the line, with the changed words marked', () => {
  const [before, after] = linePieces(
    {
      ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
      lines: [
        { kind: 'delete', text: 'const a = one(1); // x', oldLine: 1 },
        { kind: 'add', text: 'const a = two(1); // x', newLine: 1 },
      ],
    },
    'ts',
  );
  expect(before?.map(({ text }) => text).join('')).toBe('const a = one(1); // x');
  expect(after?.filter(({ looks }) => looks.includes('df-word')).map(({ text }) => text)).toEqual(['two']);
  expect(lineNumbers({ oldLine: 7 })).toBe('    7      ');
});

test('a decision is announced with what is left', () => {
  expect(decisionWords('accept', { path: 'src/a.ts', hunkId: '1' }, 4)).toBe('Accepted. 4 changes left.');
  expect(decisionWords('reject', { path: 'src/a.ts', hunkId: null }, 1)).toBe(
    'Rejected a.ts. 1 change left.',
  );
  expect(decisionWords('accept', { path: null, hunkId: null }, 0)).toBe(
    'Accepted all. Nothing is left to review.',
  );
});
