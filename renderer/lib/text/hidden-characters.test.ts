import { expect, test } from 'vitest';
import { countHidden, hasHidden, revealHidden, splitHidden } from './hidden-characters';

test('sec-G07: bidi, zero-width, tag and filler characters are shown by their codes', () => {
  const hidden = [
    '\u202E',
    '\u2066',
    '\u2069',
    '\u200B',
    '\u200F',
    '\uFEFF',
    '\u{E0041}',
    '\u3164',
    '\u00AD',
    '\r',
  ];
  for (const char of hidden) {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    expect(revealHidden(`a${char}gpj.exe`)).toBe(`a<U+${code}>gpj.exe`);
    expect(hasHidden(char)).toBe(true);
  }
});

test('plain text, tabs, line feeds and letters of any script stay as they are', () => {
  const text = 'if (x) {\n\treturn "größe 値 😀";\n}';
  expect(splitHidden(text)).toEqual([{ kind: 'text', text }]);
  expect(hasHidden(text)).toBe(false);
});

test('a long run of blanks becomes a count, an ordinary indent does not', () => {
  expect(revealHidden(`ls${' '.repeat(5000)}; rm -rf /`)).toBe('ls␠×5000; rm -rf /');
  expect(revealHidden(`a\n        b`)).toBe('a\n        b');
});

test('nothing is lost: the pieces join to the text', () => {
  const text = `a\u202Eb${' '.repeat(80)}c\u{E0001}\n\n\n\n\n\n\n\n\n\nd`;
  expect(
    splitHidden(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
  expect(countHidden(text)).toBe(2);
});
