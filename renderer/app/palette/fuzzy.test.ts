import { expect, test } from 'vitest';
import { cutPieces, fuzzyMatch } from './fuzzy';

const best = (query: string, texts: readonly string[]): string | undefined =>
  texts
    .map((text) => ({ text, match: fuzzyMatch(query, text) }))
    .filter((entry) => entry.match !== null)
    .sort((left, right) => (right.match?.score ?? 0) - (left.match?.score ?? 0))[0]?.text;

test('initials find a command', () => {
  expect(fuzzyMatch('tsb', 'Toggle side bar')?.ranges).toEqual([
    [0, 1],
    [7, 8],
    [12, 13],
  ]);
});

test('a whole word at a word start goes before letters in between', () => {
  expect(best('term', ['View: Determine', 'View: Focus terminal', 'Toggle editor mode'])).toBe(
    'View: Focus terminal',
  );
});

test('every word of the query must match, in any order', () => {
  expect(fuzzyMatch('bar side', 'View: Toggle side bar')?.ranges).toEqual([
    [13, 17],
    [18, 21],
  ]);
  expect(fuzzyMatch('side zoo', 'View: Toggle side bar')).toBeNull();
});

test('letters in order match even when a word start would lead astray', () => {
  expect(fuzzyMatch('ab', 'a b-ab c')).not.toBeNull();
  expect(fuzzyMatch('tse', 'test')).toBeNull();
  expect(fuzzyMatch('oec', 'Open recent')).not.toBeNull();
});

test('an empty query matches everything without marks', () => {
  expect(fuzzyMatch(' ', 'Anything')).toMatchObject({ ranges: [] });
});

test('pieces join to the text again', () => {
  const pieces = cutPieces('Toggle side bar', [
    [0, 1],
    [7, 11],
  ]);
  expect(pieces.map((piece) => piece.text).join('')).toBe('Toggle side bar');
  expect(pieces.filter((piece) => piece.matched).map((piece) => piece.text)).toEqual(['T', 'side']);
});
