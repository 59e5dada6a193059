import { expect, test } from 'vitest';
import { advanceMarkdown, emptyMarkdown, type MarkdownState, visibleBlocks } from './markdown-blocks';

const CORPUS: Record<string, string> = {
  prose: 'One *two* **three** `four`.\n\nNext line\ncontinues here  \nhard break\n\n\nLast.',
  headings: '# One\n\nText\n## Two\nMore\n\nSetext\n======\n\nOther\n---\nafter',
  lists:
    '- a\n- b\n  - nested\n    1. deep\n    2. er\n\n  para in b\n- [ ] task\n- [x] done\n\ntext\n\n1. one\n2. two\n\n\n- new\n\n  loose\n* star',
  table: 'Before\n\n| a | b |\n|---|:-:|\n| 1 | `x|y` |\n| 2 | z |\n\nAfter\na | b\n--|--\n1 | 2',
  fences:
    'Look:\n```ts\nconst a = `x`;\n\n# not a heading\n```\nmid\n~~~\n```\n~~~\n\n    indented\n\n    more\ntext\n```\nopen',
  quotes: '> quote\nlazy\n> > nested\n\n> again\n\nout\n> - list\n>   more\n',
  html: 'a <b>x</b>\n\n<div>\nraw\n\n</div>\n<!-- c\n\nd -->\nafter\n\n<script>\nlet a;\n\n</script>\ntext',
  rules: 'a\n\n---\n\n***\nb\n- - -\n#\n#x\n# \n1.\n-\n\n- ',
  references:
    '[a][b] and ![c][d] and [e]\n\n[b]: https://one.example\n[d]: http://127.0.0.1/x.png "t"\n\n[e]: x\nrest',
  breaks: 'a\r\nb\r\n\r\n- c\r\n- d\re',
};

const tokensOf = (state: MarkdownState) => [...state.done, ...state.open].map((block) => block.token);
const whole = (text: string) => tokensOf(advanceMarkdown(emptyMarkdown, text));
/** Blank lines between blocks belong to either side, depending on where reading began. */
const shape = (tokens: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tokens, (key, value: unknown) => (key === 'raw' ? String(value).trimEnd() : value)),
  );

for (const [name, text] of Object.entries(CORPUS)) {
  test(`reading ${name} in two parts gives the same blocks as reading it at once, for every cut`, () => {
    const expected = shape(whole(text));
    for (let cut = 0; cut <= text.length; cut += 1) {
      const state = advanceMarkdown(advanceMarkdown(emptyMarkdown, text.slice(0, cut)), text);
      expect(shape(tokensOf(state)), `cut at ${cut}`).toEqual(expected);
    }
  });
}

test('reading all samples character by character gives the same blocks as reading them at once', () => {
  const text = Object.values(CORPUS).join('\n\n');
  let state = emptyMarkdown;
  for (let end = 1; end <= text.length; end += 1) state = advanceMarkdown(state, text.slice(0, end));
  expect(shape(tokensOf(state))).toEqual(shape(whole(text)));
});

test('finished blocks keep their identity while the text grows', () => {
  const first = advanceMarkdown(emptyMarkdown, 'One\n\nTwo\n\nThree');
  const next = advanceMarkdown(first, 'One\n\nTwo\n\nThree and more\n\nFour');
  expect(next.done[0]).toBe([...first.done, ...first.open][0]);
  expect(next.done[1]).toBe([...first.done, ...first.open][1]);
});

test('a text that did not just grow is read anew', () => {
  const state = advanceMarkdown(advanceMarkdown(emptyMarkdown, '# One\n\ntwo\n\n'), 'Other');
  expect(tokensOf(state)).toMatchObject([{ type: 'paragraph', text: 'Other' }]);
});

test('a growing table shows a row once its line is complete', () => {
  const state = advanceMarkdown(emptyMarkdown, '| a |\n|---|\n| 1 |\n| 2');
  expect(visibleBlocks(state, true).at(-1)?.token).toMatchObject({ rows: [[{ text: '1' }]] });
  expect(visibleBlocks(state, false).at(-1)?.token).toMatchObject({
    rows: [[{ text: '1' }], [{ text: '2' }]],
  });
});

test('sec-D04: a link definition stays text, so that no name hides an address', () => {
  const types = JSON.stringify(whole(CORPUS['references'] ?? ''));
  expect(types).not.toContain('"type":"image"');
  expect(types).not.toContain('"type":"def"');
});
