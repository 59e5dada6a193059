import { expect, test } from 'vitest';
import { firstChoice, regionsOf, resolvedText, savedText, segmentsOf } from './conflict-text';

const MERGED = [
  'a',
  '<<<<<<< now',
  'mine 1',
  'mine 2',
  '||||||| base',
  'old',
  '=======',
  'undone',
  '>>>>>>> undo',
  'z',
  '',
];

const view = { current: 'a\nmine 1\nmine 2\nz\n', wanted: 'a\nundone\nz\n' };
const segments = segmentsOf({ ...view, merged: MERGED.join('\n'), regions: [{ start: 2, lines: 8 }] });

test('the sides of a region are what stands between its markers', () => {
  expect(regionsOf(segments)).toEqual([{ kind: 'region', mine: ['mine 1', 'mine 2'], undo: ['undone'] }]);
});

test('each choice makes a text without a marker, and says where its lines are', () => {
  expect(resolvedText(segments, ['undo'])).toEqual({
    text: 'a\nundone\nz\n',
    places: [{ line: 2, lines: 1 }],
  });
  expect(resolvedText(segments, ['mine']).text).toBe(view.current);
  expect(resolvedText(segments, ['both'])).toEqual({
    text: 'a\nmine 1\nmine 2\nundone\nz\n',
    places: [{ line: 2, lines: 3 }],
  });
});

test('two regions are decided apart', () => {
  const merged = '<<<<<<<\nA\n=======\nB\n>>>>>>>\nmid\n<<<<<<<\n=======\nD\n>>>>>>>';
  const parts = segmentsOf({
    ...view,
    merged,
    regions: [
      { start: 1, lines: 5 },
      { start: 7, lines: 4 },
    ],
  });
  expect(resolvedText(parts, ['mine', 'undo'])).toEqual({
    text: 'A\nmid\nD',
    places: [
      { line: 1, lines: 1 },
      { line: 3, lines: 1 },
    ],
  });
});

test('a file that can only be taken as a whole is one region', () => {
  const whole = segmentsOf({ current: 'a\nb', wanted: null, merged: null, regions: [] });
  expect(resolvedText(whole, ['mine']).text).toBe('a\nb');
  expect(resolvedText(whole, ['undo']).text).toBe('');
});

test('a file that one side does not have is removed by choosing that side, never left empty', () => {
  const gone = { current: 'a\nb\n', wanted: null, merged: null, regions: [] };
  const segments = segmentsOf(gone);
  expect(firstChoice(gone)).toBe('mine');
  expect(resolvedText(segments, ['mine'])).toEqual({ text: 'a\nb\n', places: [{ line: 1, lines: 2 }] });
  expect(savedText(gone, resolvedText(segments, ['undo']).text)).toBeNull();
  expect(savedText(gone, 'a\n')).toBe('a\n');
  expect(savedText({ current: '', wanted: 'x' }, '')).toBe('');
});
