import { expect, test } from 'vitest';
import type { DiffHunk, DiffLine } from '../../../shared/model/diff';
import { firstLine, hunkRuns, lineWords } from './hunk-runs';

const hunk = (newStart: number, text: string): DiffHunk => {
  const lines = text.split(' ').map((sign): DiffLine => {
    const kind = ({ '+': 'add', '-': 'delete' } as const)[sign[0] ?? ''] ?? 'context';
    return { kind, text: sign.slice(1) };
  });
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind !== kind).length;
  return { oldStart: newStart, oldLines: count('add'), newStart, newLines: count('delete'), lines };
};

test('a hunk is cut into runs with their place in the new text and what stood there before', () => {
  expect(hunkRuns(hunk(10, '=a -b +c +d =e -f =g +h'))).toEqual([
    { kind: 'change', start: 11, lines: 2, removed: ['b'] },
    { kind: 'delete', start: 14, lines: 0, removed: ['f'] },
    { kind: 'add', start: 15, lines: 1, removed: [] },
  ]);
});

test('where only lines went, the place is the line that follows them', () => {
  const only = hunk(3, '-a -b');
  expect(hunkRuns(only)).toEqual([{ kind: 'delete', start: 4, lines: 0, removed: ['a', 'b'] }]);
  expect(lineWords(only)).toBe('after line 3');
  expect(firstLine(only)).toBe(4);
});

test('lines are named by their first and last change, not by the context around them', () => {
  expect(lineWords(hunk(10, '=a +b =c +d +e =f'))).toBe('lines 11–14');
  expect(lineWords(hunk(1, '-a +b'))).toBe('line 1');
  expect(lineWords(hunk(0, '-a'))).toBe('at the top');
});
