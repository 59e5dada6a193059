import { expect, test } from 'vitest';
import { effectWords } from './effect-words';

test('files of a command are counted, with one word where one fits all', () => {
  const files = (...changes: ('create' | 'modify' | 'delete' | 'move')[]) =>
    changes.map((change, i) => ({ path: `f${i}`, change }));
  expect(effectWords({ files: files('delete', 'delete'), more: 0 })).toBe('2 files deleted');
  expect(effectWords({ files: files('create'), more: 0 })).toBe('1 file created');
  expect(effectWords({ files: files('create', 'modify'), more: 0 })).toBe('2 files changed');
  expect(effectWords({ files: files('delete'), more: 4 })).toBe('5 files changed');
});
