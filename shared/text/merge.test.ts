import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from './line-changes';
import type { MergePiece } from './merge-lines';
import { mergeTexts, withMarkers } from './merge-texts';

const merge = (base: string, ours: string, theirs: string) => mergeTexts(base, ours, theirs, changesBetween);

function clean(base: string, ours: string, theirs: string): string | null {
  const merged = merge(base, ours, theirs);
  return merged.isClean ? merged.text : null;
}

const line = fc.constantFrom('a', 'b', 'c', '', '  x', 'é', 'a\r');
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([lines, ending, hasFinal, isMixed]) => {
    const ends = lines.map((_, at) => (isMixed && at % 3 === 0 ? '\n' : ending));
    return lines.map((each, at) => each + (at < lines.length - 1 || hasFinal ? ends[at] : '')).join('');
  });

test('a side that changed nothing takes the other one, byte for byte', () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(clean(base, other, base)).toBe(other);
      expect(clean(base, base, other)).toBe(other);
      expect(clean(base, other, other)).toBe(other);
    }),
  );
});

const flipped = (piece: MergePiece) =>
  piece.kind === 'settled' ? {} : { ours: piece.theirs, theirs: piece.ours };

test('swapping the sides gives the same text, or the same conflicts the other way round', () => {
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const [one, two] = [merge(base, ours, theirs), merge(base, theirs, ours)];
      const swapped = two.isClean
        ? two
        : { isClean: false, pieces: two.pieces.map((piece) => ({ ...piece, ...flipped(piece) })) };
      expect(one).toEqual(swapped);
    }),
    { numRuns: 500 },
  );
});

/** Own lines of each side at places that don't share a base line. */
const apart = fc.array(fc.constantFrom('keep', 'ours', 'theirs', 'drop-ours', 'drop-theirs'), {
  maxLength: 40,
});

test('lines of ours outside of what theirs changed are never touched, and each side’s changes are all taken', () => {
  fc.assert(
    fc.property(apart, (plan) => {
      const side = (mine: string): string =>
        plan
          .flatMap((what, at) => {
            if (what === mine) return [`${at} changed by ${mine}\n`];
            return what === `drop-${mine}` ? [] : [`${at}\n`];
          })
          .join('');
      const wanted = plan
        .flatMap((what, at) => {
          if (what.startsWith('drop')) return [];
          return [what === 'keep' ? `${at}\n` : `${at} changed by ${what}\n`];
        })
        .join('');
      expect(clean(side('nobody'), side('ours'), side('theirs'))).toBe(wanted);
    }),
  );
});

test.each([
  ['changes that touch', 'a\nb\n', 'A\nb\n', 'a\nB\n', 'A\nB\n'],
  ['an insertion in front of a replaced line', 'a\nb\n', 'a\nnew\nb\n', 'a\nB\n', 'a\nnew\nB\n'],
  ['an insertion behind a removed block', 'a\n1\n2\nb\n', 'a\n1\n2\nnew\nb\n', 'a\nb\n', 'a\nnew\nb\n'],
  ['the same change on both sides', 'a\nb\n', 'X\nb\n', 'X\nb\n', 'X\nb\n'],
  ['the same change and another one', 'a\nb\nc\n', 'X\nb\nC\n', 'X\nb\nc\n', 'X\nb\nC\n'],
  ['a line appended where there is no final line break', 'a\nb', 'a\nb\nc', 'A\nb', 'A\nb\nc'],
  ['a replaced last line before an appended one', 'a', 'a\nmore', 'A', 'A\nmore'],
  ['a final line break that was taken away', 'a\nb\n', 'a\nb', 'A\nb\n', 'A\nb'],
  ['endings that ours converted', 'a\nb\nc\n', 'a\r\nb\r\nC\r\n', 'A\nb\nc\n', 'A\r\nb\r\nC\r\n'],
  ['endings that theirs converts', 'a\nb\nc\n', 'a\nb\nC\n', 'A\r\nb\r\nc\r\n', 'A\r\nb\r\nC\r\n'],
  ['each line’s own ending in a mixed file', 'a\r\nb\nc\n', 'a\r\nb\nC\n', 'A\r\nb\nc\n', 'A\r\nb\nC\n'],
  ['one line with CRLF and more', 'a', 'a\r\nb', 'c', 'c\r\nb'],
])('%s: both are taken', (_what, base, ours, theirs, wanted) => {
  expect(clean(base, ours, theirs)).toBe(wanted);
  expect(clean(base, theirs, ours)).toBe(wanted);
});

test.each([
  ['the same line', 'a\nb\n', 'a\nX\n', 'a\nY\n'],
  ['two insertions at one place', 'a\nb\n', 'a\nX\nb\n', 'a\nY\nb\n'],
  ['an insertion inside of what is removed', 'a\n1\n2\nb\n', 'a\n1\nX\n2\nb\n', 'a\nb\n'],
  ['a removed line that the other side changed', 'a\nb\n', 'a\n', 'a\nB\n'],
])('%s: a conflict', (_what, base, ours, theirs) => {
  expect(clean(base, ours, theirs)).toBeNull();
});

test('a conflict is shown with both sides between markers, and the rest merged', () => {
  const merged = merge('1\n2\n3\n4\n5\n', 'one\n2\nours\n4\n5\n', '1\n2\ntheirs\n4\nfive\n');
  if (merged.isClean) throw new Error('it is a conflict');
  expect(withMarkers(merged.pieces)).toEqual({
    text: 'one\n2\n<<<<<<< now\nours\n=======\ntheirs\n>>>>>>> undo\n4\nfive\n',
    regions: [{ start: 3, lines: 5 }],
  });
});

test('10,000 lines with 200 changes on each side', ({ annotate }) => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at % 997} of ${at}\n`);
  const changed = (offset: number): string =>
    lines.map((each, at) => (at % 50 === offset ? `changed ${offset} ${each}` : each)).join('');
  const [base, ours, theirs] = [lines.join(''), changed(5), changed(30)];
  clean(base, ours, theirs);
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    expect(clean(base, ours, theirs)).not.toBeNull();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return annotate(`merge of 10,000 lines with 2 × 200 changes: ${(times[4] as number).toFixed(1)} ms`);
});
