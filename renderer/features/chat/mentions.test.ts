import { expect, test } from 'vitest';
import { insertMention, mentionAt, mentionedPaths, splitMentions } from './mentions';

test('an @ after a blank opens a mention, one in a mail address does not', () => {
  expect(mentionAt('see @src/a', 10)).toEqual({ from: 4, query: 'src/a' });
  expect(mentionAt('@', 1)).toEqual({ from: 0, query: '' });
  expect(mentionAt('me@example.com', 14)).toBeNull();
  expect(mentionAt('@a done', 7)).toBeNull();
});

test('choosing a file replaces what was typed and goes on after it', () => {
  expect(insertMention('see @sr now', { from: 4, query: 'sr' }, 'src/a.ts')).toEqual({
    text: 'see @src/a.ts now',
    caret: 14,
  });
  expect(insertMention('@x', { from: 0, query: 'x' }, 'a b.ts')).toEqual({ text: '@"a b.ts" ', caret: 10 });
});

test('mentions are found with their paths, quoted or at the end of a sentence', () => {
  const text = 'Compare @src/a.ts, @"b c.ts" and (@d.ts). Mail me@x.org.';
  expect(mentionedPaths(text)).toEqual(['src/a.ts', 'b c.ts', 'd.ts']);
  expect(
    splitMentions(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
