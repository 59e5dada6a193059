import { expect, test } from 'vitest';
import { foreignWords, foundWords } from './foreign-words';

test('a tool says how many sessions it has and how many of them are here', () => {
  expect(foundWords({ sessions: 1, known: 0 })).toBe('1 session');
  expect(foundWords({ sessions: 1200, known: 12 })).toBe('1,200 sessions, 12 here already');
  expect(foundWords({ sessions: 3, known: 3 })).toBe('3 sessions, all here already');
});

test('an import says what came in and what did not', () => {
  const none = { imported: [], known: 2, empty: 0, failed: 0, skipped: 0 };
  expect(foreignWords(none)).toBe('0 sessions imported');
  expect(foreignWords({ ...none, imported: ['a'], failed: 1, empty: 2, skipped: 3 })).toBe(
    '1 session imported · 1 file could not be read · 2 without a message · 3 records left out',
  );
});
