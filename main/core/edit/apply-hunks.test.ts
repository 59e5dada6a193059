import { expect, test } from 'vitest';
import { applyDiff, undoDiff } from './apply-hunks';
import { diffFile } from './diff';

const diffOf = (before: string | null, after: string | null) =>
  diffFile({ path: 'a.ts', before, after, beforeHash: null, afterHash: null });

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

test.each([
  ['a line in the middle', 'one\ntwo\nthree\n', 'one\n2\nthree\n'],
  ['the first and the last line', 'one\ntwo\nthree\n', '1\ntwo\n3\n'],
  ['an insertion at the top', 'one\ntwo\n', 'zero\none\ntwo\n'],
  ['an insertion at the end', 'one\ntwo\n', 'one\ntwo\nthree\n'],
  ['a deletion of everything', 'one\ntwo\n', ''],
  ['a text from nothing', '', 'one\ntwo\n'],
  ['a line break that goes', 'one\ntwo\n', 'one\ntwo'],
  ['a line break that comes', 'one\ntwo', 'one\ntwo\n'],
  ['no line break on either side', 'one\ntwo', '1\ntwo'],
  ['a change far from an end without a line break', `${numbered(30)}end`, `first\n${numbered(30)}end`],
  ['hunks far from each other', numbered(60), numbered(60).replace('line 3\n', '').replace('line 50', 'L')],
  ['text that looks like a mark', 'a\nb\n', 'a\n\\ No newline at end of file\n'],
])('a diff leads from one text to the other and back: %s', (_name, before, after) => {
  const diff = diffOf(before, after);
  expect(applyDiff(before, diff)).toBe(after);
  expect(undoDiff(after, diff)).toBe(before);
});

test('random changes lead there and back', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const text = (): string => {
    const lines = Array.from({ length: random(40) }, () => `${random(6)}`);
    return lines.join('\n') + (lines.length > 0 && random(2) === 0 ? '\n' : '');
  };
  for (let round = 0; round < 300; round += 1) {
    const [before, after] = [text(), text()];
    const diff = diffOf(before, after);
    expect(applyDiff(before, diff)).toBe(after);
    expect(undoDiff(after, diff)).toBe(before);
  }
});

test('a diff that was cut, or of another text, gives nothing instead of something wrong', () => {
  const long = diffOf(numbered(3000), numbered(3000).replaceAll('line', 'row'));
  expect(long.truncated).toBe(true);
  expect(applyDiff(numbered(3000), long)).toBeNull();
  expect(applyDiff('other\n', diffOf('one\n', 'two\n'))).toBeNull();
});
