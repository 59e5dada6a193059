import { expect, test } from 'vitest';
import type { DiffHunk } from '../../../shared/model/diff';
import { hunkMarks, linePair, markSpans } from './word-marks';

const marked = (text: string, marks: readonly (readonly [number, number])[]): string[] =>
  marks.map(([from, to]) => text.slice(from, to));

test('a line pair marks the words that differ', () => {
  const before = '  return 500 * 2 ** attempt;';
  const after = '  return backoff(attempt);';
  const [left, right] = linePair(before, after);
  expect(marked(before, left)).toEqual(['500 * 2 ** ']);
  expect(marked(after, right)).toEqual(['backoff(', ')']);
});

test('lines that share next to nothing are not marked', () => {
  expect(linePair('const a = 1;', 'for (const x of list) {')).toEqual([[], []]);
});

test('removed lines meet the added lines that follow them, in order', () => {
  const line = (kind: 'add' | 'delete' | 'context', text: string) => ({ kind, text });
  const hunk: DiffHunk = {
    oldStart: 1,
    oldLines: 3,
    newStart: 1,
    newLines: 3,
    lines: [
      line('context', 'same'),
      line('delete', 'let one = 1'),
      line('delete', 'let two = 2'),
      line('add', 'let one = 10'),
      line('add', 'let two = 20'),
      line('add', 'let three = 3'),
    ],
  };
  const marks = hunkMarks(hunk).map((list, i) => marked(hunk.lines[i]?.text ?? '', list));
  expect(marks).toEqual([[], ['1'], ['2'], ['10'], ['20'], []]);
});

test('spans are cut at the borders of marks and still join to the line', () => {
  const spans = [
    { kind: 'key', text: 'return' },
    { kind: 'plain', text: ' a + ' },
    { kind: 'num', text: '12' },
  ] as const;
  const pieces = markSpans(spans, [[7, 12]]);
  expect(pieces.map((piece) => piece.text).join('')).toBe('return a + 12');
  expect(pieces.filter((piece) => piece.marked).map((piece) => piece.text)).toEqual(['a + ', '1']);
});
