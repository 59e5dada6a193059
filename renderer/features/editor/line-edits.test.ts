import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineEdits, toTextEdits } from './line-edits';

/** Applies edits as an editor does: by positions in the old text, from the end. */
function apply(before: string, after: string): string {
  const lines = before.split('\n');
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  return lineEdits(before, after)
    .flatMap((edit) => toTextEdits(edit, lines.length, (line) => lines[line - 1] ?? ''))
    .reverse()
    .reduce((text, { range, text: inserted }) => {
      const from = offset(range.startLineNumber, range.startColumn);
      const to = offset(range.endLineNumber, range.endColumn);
      return text.slice(0, from) + inserted + text.slice(to);
    }, before);
}

test('case-D02: one changed line is one edit of that line', () => {
  expect(lineEdits('a\nb\nc\n', 'a\nX\nc\n')).toEqual([{ start: 2, end: 3, lines: ['X'] }]);
});

test('changes far from each other are edits of their own', () => {
  const before = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const after = before.with(3, 'three').with(90, 'ninety');
  expect(lineEdits(before.join('\n'), after.join('\n'))).toHaveLength(2);
});

test('case-D11: within a line only what differs is replaced, never half a character', () => {
  const edits = (before: string, after: string) =>
    lineEdits(before, after).flatMap((edit) => toTextEdits(edit, 1, () => before));
  expect(edits('let a = 1;', 'let abc = 1;')).toEqual([
    { range: { startLineNumber: 1, startColumn: 6, endLineNumber: 1, endColumn: 6 }, text: 'bc' },
  ]);
  expect(edits('x😀y', 'x😁y')[0]).toMatchObject({ range: { startColumn: 2, endColumn: 4 }, text: '😁' });
  expect(edits('x\u{1f600}y', 'x\u{1fa00}y')[0]).toMatchObject({ range: { startColumn: 2, endColumn: 4 } });
});

test('the same text needs no edit', () => {
  expect(lineEdits('a\nb', 'a\nb')).toEqual([]);
});

test('the edits make the new text out of the old one, whatever the two are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'abc', 'adc', '😀', '😁a', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => apply(before, after) === after),
    { numRuns: 1000 },
  );
});

test('case-D02: in a long file changes far from each other stay edits of their own, also when its lines repeat', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => (index % 2 === 0 ? `line ${index}` : '}'));
  const after = lines.with(3, 'three').toSpliced(29_000, 1, 'x', 'y');
  expect(lineEdits(lines.join('\n'), after.join('\n'))).toEqual([
    { start: 4, end: 5, lines: ['three'] },
    { start: 29_001, end: 29_002, lines: ['x', 'y'] },
  ]);
});

test('long texts in another order are compared soon, and rightly', () => {
  const lines = Array.from({ length: 25_000 }, (_, index) => `line ${index}`);
  const few = lines.map((_line, index) => `line ${index % 50}`);
  for (const [before, after] of [
    [lines, lines.toReversed()],
    [lines, lines.map((_line, index) => lines[(index * 7919) % 25_000] as string)],
    [few, few.map((_line, index) => few[(index * 7919) % 25_000] as string)],
  ] as const) {
    const made = [...before];
    for (const { start, end, lines: inserted } of lineEdits(before.join('\n'), after.join('\n')).reverse())
      made.splice(start - 1, end - start, ...inserted);
    expect(made.join('\n') === after.join('\n')).toBe(true);
  }
});

test('a text with nothing in common is replaced quickly, also when it is long', () => {
  const lines = (name: string): string =>
    Array.from({ length: 30_000 }, (_, index) => `${name} ${index}`).join('\n');
  expect(lineEdits(lines('a'), lines('b'))).toHaveLength(1);
});
