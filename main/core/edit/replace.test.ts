import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, type TextEdit } from './replace';
import { textFile } from './text-codec';

const edit = (oldString: string, newString: string, replaceAll = false): TextEdit => ({
  oldString,
  newString,
  replaceAll,
});
const apply = (raw: string, ...edits: TextEdit[]): string =>
  applyEdits(textFile(raw, 'utf-8', false), edits, 'a.ts').raw;
const outcome = (raw: string, ...edits: TextEdit[]) =>
  applyEdits(textFile(raw, 'utf-8', false), edits, 'a.ts');
function failure(
  raw: string,
  ...edits: TextEdit[]
): { code: string; message: string; detail: Record<string, unknown> } {
  try {
    apply(raw, ...edits);
  } catch (error) {
    return error as { code: string; message: string; detail: Record<string, unknown> };
  }
  throw new Error('the edit was applied');
}

test('case-E01: a CRLF file is matched with either ending and keeps its own', () => {
  expect(apply('a\r\nb\r\nc\r\n', edit('a\nb', 'A\nB'))).toBe('A\r\nB\r\nc\r\n');
  expect(apply('a\r\nb\r\nc\r\n', edit('a\r\nb', 'A\r\nB'))).toBe('A\r\nB\r\nc\r\n');
  expect(apply('a\nb\nc\n', edit('a\r\nb', 'A\r\nB'))).toBe('A\nB\nc\n');
});

test('case-E03: a line inserted into a CRLF file ends with CRLF', () => {
  expect(apply('a\r\nb\r\n', edit('a\n', 'a\nnew\n'))).toBe('a\r\nnew\r\nb\r\n');
  expect(apply('a\r\nb', edit('b', 'b\nc'))).toBe('a\r\nb\r\nc');
});

test('case-E04: in a mixed file the replaced line keeps its ending and the others are not touched', () => {
  expect(apply('a\r\nb\nc\r\n', edit('b', 'b1\nb2'))).toBe('a\r\nb1\nb2\nc\r\n');
  expect(apply('a\r\nb\nc\r\n', edit('c', 'c1\nc2'))).toBe('a\r\nb\nc1\r\nc2\r\n');
  expect(apply('a\r\nb\nc\r\nd\n', edit('d\n', 'D\n'), edit('a', 'A'))).toBe('A\r\nb\nc\r\nD\n');
});

test('case-E05: trailing spaces next to an edit survive', () => {
  expect(apply('text  \r\nnext\r\n', edit('next', 'NEXT'))).toBe('text  \r\nNEXT\r\n');
});

test('case-E12, case-E24: dollar patterns and entities are plain text', () => {
  const wild = "$& $1 $$ $` $' &lt; &amp; &#39;";
  expect(apply('log("done");', edit('done', wild))).toBe(`log("${wild}");`);
  expect(apply('done done', edit('done', wild, true))).toBe(`${wild} ${wild}`);
});

test('case-E13: quotes that look alike are matched, and those the edit leaves alone stay as they are', () => {
  const made = outcome('say “hi” and ‘yo’', edit('say "hi"', 'say "ho"'));
  expect(made).toMatchObject({
    raw: 'say “ho” and ‘yo’',
    edits: [{ strategy: 'unicode-normalised', places: 1 }],
  });
});

test('case-E14: a missing final line break stays missing', () => {
  expect(apply('a\nb', edit('b', 'c'))).toBe('a\nc');
});

test('case-E16: an ambiguous edit names the count and the lines', () => {
  const error = failure('x\ny\nx\n', edit('x', 'z'));
  expect(error).toMatchObject({
    code: 'conflict',
    detail: { reason: 'ambiguous', places: 2, lines: [1, 3] },
  });
  expect(error.message).toContain('2 places (lines 1, 3)');
  expect(apply('x\ny\nx\n', edit('x', 'z', true))).toBe('z\ny\nz\n');
});

test('case-E17: an empty old_string fills an empty file and is refused in one with text', () => {
  expect(apply('', edit('', 'new\n'))).toBe('new\n');
  expect(failure('text', edit('', 'new'))).toMatchObject({
    code: 'bad_argument',
    detail: { reason: 'empty_old' },
  });
});

test('case-E18: an edit that changes nothing is an error', () => {
  expect(failure('a', edit('a', 'a'))).toMatchObject({
    code: 'bad_argument',
    detail: { reason: 'no_change' },
  });
  expect(failure('a\r\nb', edit('a\r\nb', 'a\nb'))).toMatchObject({ detail: { reason: 'no_change' } });
});

test('case-E21: edits may come in any order; overlapping ones are named and nothing is applied', () => {
  expect(apply('one two three', edit('three', '3'), edit('one', '1'))).toBe('1 two 3');
  const error = failure('one two three', edit('two three', 'x'), edit('one two', 'y'));
  expect(error).toMatchObject({ code: 'conflict', detail: { reason: 'overlap', edits: [1, 2] } });
  expect(error.message).toContain('Edits 1 and 2');
});

test('case-E25: an edit with spaces in a file with tabs lands with the tabs of the file', () => {
  const made = outcome(
    '\tif x:\n\t\ty\n',
    edit('    if x:\n        y', '    if z:\n        y\n            w'),
  );
  expect(made).toMatchObject({
    raw: '\tif z:\n\t\ty\n\t\t\tw\n',
    edits: [{ strategy: 'indentation-flexible' }],
  });
});

test('case-E25: a miss over tabs shows the real white space of the file', () => {
  const error = failure('\tif x:\n\t\ty\n', edit('    if q:\n        y', '    if z:'));
  expect(error.message).toContain('lines 1–2');
  expect(error.message).toContain('|→if x:|');
  expect(error.message).toContain('|····if q:|');
});

test('case-E26: trailing spaces that only one side has are no difference, and the result says so', () => {
  expect(outcome('alpha\nbeta\n', edit('beta  ', 'gamma  '))).toMatchObject({
    raw: 'alpha\ngamma\n',
    edits: [{ strategy: 'line-trimmed' }],
  });
});

test('case-E26: a miss over trailing spaces shows the line and its difference', () => {
  const error = failure('alpha\nbeta\r\n', edit('beto  ', 'x'));
  expect(error.message).toContain('line 2: file has |beta|');
  expect(error.message).toContain('|beto··|');
});

test('E1: a loose match in two places is refused with both, and replace_all takes exact text only', () => {
  const text = 'if a:\n    x = 1  \n    y()\nif b:\n    x = 1  \n    y()\n';
  const error = failure(text, edit('x = 1\n    y()', 'z'));
  expect(error).toMatchObject({ code: 'conflict', detail: { lines: [2, 5], strategy: 'line-trimmed' } });
  expect(error.message).toContain('line 5: |····x = 1··|');
  expect(failure(text, edit('x = 1\n    y()', 'z', true)).message).toContain(
    'replace_all needs the exact text',
  );
});

test('case-E23: in a file with a line of megabytes only the exact text is looked for', () => {
  const long = `var a="“q”";${'x=1;'.repeat(100_000)}var b=2;\n`;
  expect(apply(long, edit('var b=2;', 'var b=3;'))).toBe(long.replace('var b=2;', 'var b=3;'));
  expect(failure(long, edit(`var a=""q"";`, 'x'))).toMatchObject({ code: 'not_found' });
});

test('E1: what models copy in by mistake is named', () => {
  const text = 'function total(a) {\n  return a;\n}\n';
  expect(failure(text, edit('2|   return a;', '2|   return b;')).message).toContain('line numbers');
  expect(failure(text, edit('FUNCTION total(a) {', 'x')).message).toContain('upper and lower case');
});

test('E1: a miss says how near the closest place is, or that there is none', () => {
  const error = failure('function total(a) {\n  return a;\n}\n', edit('function totals(a) {', 'x'));
  expect(error.message).toMatch(/line 1 \(9\d % alike\)/);
  expect(failure('a\nb\n', edit('something else entirely', 'x')).message).toContain('Nothing similar');
});

test('E3: several edits are all or nothing', () => {
  expect(failure('a b', edit('a', 'x'), edit('nope', 'y'))).toMatchObject({ detail: { edit: 2 } });
});

test('whatever is edited, everything outside the matched range stays as it was', () => {
  const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', '', ' x', '\r'), fc.constantFrom('\n', '\r\n')), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(lines, lines, fc.constantFrom('new', 'n\nm', ''), (before, after, replacement) => {
      const head = before.flat().join('');
      const tail = after.flat().join('');
      const safeHead = head.endsWith('\r') ? `${head}.` : head;
      expect(apply(`${safeHead}@@${tail}`, edit('@@', replacement)).replaceAll('\r\n', '\n')).toBe(
        `${safeHead}${replacement}${tail}`.replaceAll('\r\n', '\n'),
      );
      const raw = apply(`${safeHead}@@${tail}`, edit('@@', replacement));
      expect(raw.startsWith(safeHead) && raw.endsWith(tail)).toBe(true);
    }),
  );
});
