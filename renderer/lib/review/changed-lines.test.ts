import { expect, test } from 'vitest';
import type { DiffLine } from '../../../shared/model/diff';
import { changedLines } from './changed-lines';

/** `=-+`: a line around, a removed and an added one. */
const hunk = (signs: string) => ({
  lines: [...signs].map((sign): DiffLine => {
    const kind = sign === '+' ? 'add' : sign === '-' ? 'delete' : 'context';
    return { kind, text: sign };
  }),
});

test('only what was removed and added is shown, without the lines around', () => {
  expect(changedLines(hunk('==-+=+='), 6)).toEqual({ shown: [2, 3, 5], more: 0 });
});

test('of a long change the first lines of both kinds are shown, and how many are left out', () => {
  expect(changedLines(hunk('----------++++++++'), 6)).toEqual({ shown: [0, 1, 2, 10, 11, 12], more: 12 });
  expect(changedLines(hunk('----------+'), 6)).toEqual({ shown: [0, 1, 2, 3, 4, 10], more: 5 });
  expect(changedLines(hunk('-++++++++'), 6)).toEqual({ shown: [0, 1, 2, 3, 4, 5], more: 3 });
  expect(changedLines(hunk('+++++++='), 6)).toEqual({ shown: [0, 1, 2, 3, 4, 5], more: 1 });
});
