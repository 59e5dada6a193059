import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTerms, matchExpression, searchTerms } from './search-query';
import { snippetOf } from './search-snippet';

test('words may go on, phrases in quotes must stand as they are, and signs only part words', () => {
  expect(searchTerms('retry "not yet" foo_bar.ts a')).toEqual([
    { words: ['retry'], prefix: true },
    { words: ['not', 'yet'], prefix: false },
    { words: ['foo', 'bar', 'ts'], prefix: true },
    { words: ['a'], prefix: false },
  ]);
  expect(searchTerms('(*) -- "" \u0000')).toEqual([]);
  expect(matchExpression(searchTerms('NEAR(a b) OR x*'))).toBe('"NEAR a" "b" "OR" * "x"');
});

test('any text gives an expression of quoted words only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(matchExpression(searchTerms(text))).toMatch(
        /^(?:"[\p{L}\p{N}\p{M}\p{Co} ]+"(?: \*)?(?: |$))*$/u,
      );
    }),
  );
});

test('hits are found without regard to case and accents, also in scripts without spaces', () => {
  expect(findTerms('Über den Wolken', searchTerms('uber'))).toEqual([[0, 4]]);
  expect(findTerms('我喜欢编程语言', searchTerms('编程'))).toEqual([[3, 5]]);
  expect(findTerms('a retry, then retrying', searchTerms('retry'))).toEqual([
    [2, 7],
    [14, 22],
  ]);
});

test('a snippet is one line around the first hit, with the hits marked', () => {
  const text = `${'word '.repeat(60)}\n\nthe needle lies here ${'tail '.repeat(80)}`;
  const { text: line, ranges } = snippetOf(text, searchTerms('needle'));
  expect(line).toMatch(/^….*the needle lies here.*…$/);
  expect(line.length).toBeLessThanOrEqual(182);
  expect(ranges.map(([from, to]) => line.slice(from, to))).toEqual(['needle']);
  expect(snippetOf('nothing here', searchTerms('needle'))).toEqual({ text: 'nothing here', ranges: [] });
});
