import { expect, test } from 'vitest';
import type { DiffHunk, DiffLine } from '../../../shared/model/diff';
import { shortHunk } from './short-hunk';

/** `=-+`: a line around, a removed and an added one. */
const hunkOf = (signs: string): DiffHunk => ({
  ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
  lines: [...signs].map((text): DiffLine => {
    const kind = text === '+' ? 'add' : text === '-' ? 'delete' : 'context';
    return { kind, text };
  }),
});

const short = (signs: string) => {
  const { hunk, more } = shortHunk(hunkOf(signs), 6);
  return [hunk.lines.map(({ text }) => text).join(''), more];
};

test('a hunk with few changes stays what it is', () => {
  const few = hunkOf('===-+==+===');
  expect(shortHunk(few, 6)).toEqual({ hunk: few, more: 0 });
  expect(shortHunk(few, 6).hunk).toBe(few);
});

test('of a long change the first lines of both kinds are kept, and it is said how many are not', () => {
  expect(short('==----------++++++++==')).toEqual(['==---+++', 12]);
  expect(short('----------+')).toEqual(['-----+', 5]);
  expect(short('-++++++++')).toEqual(['-+++++', 3]);
  expect(short('++=+++++=+')).toEqual(['++=++++', 2]);
});
