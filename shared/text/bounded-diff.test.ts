import fc from 'fast-check';
import { diff as myers } from 'fast-myers-diff';
import { expect, test } from 'vitest';
import { boundedDiff } from './bounded-diff';

/** The same at every run. */
function shuffled(count: number): Int32Array {
  const list = Int32Array.from({ length: count }, (_, at) => at);
  let seed = 7;
  for (let at = count - 1; at > 0; at -= 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = seed % (at + 1);
    [list[at], list[other]] = [list[other] as number, list[at] as number];
  }
  return list;
}

const rising = (count: number): Int32Array => Int32Array.from({ length: count }, (_, at) => at);

/** What the ranges say became of `before`. */
function applied(before: Int32Array, after: Int32Array, ranges: ReturnType<typeof boundedDiff>): number[] {
  const made: number[] = [];
  let at = 0;
  for (const [oldStart, oldEnd, newStart, newEnd] of ranges) {
    made.push(...before.subarray(at, oldStart), ...after.subarray(newStart, newEnd));
    at = oldEnd;
  }
  return [...made, ...before.subarray(at)];
}

test('lists that are close get the smallest difference', () => {
  const list = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 300 });
  fc.assert(
    fc.property(list, list, (left, right) => {
      const [before, after] = [Int32Array.from(left), Int32Array.from(right)];
      expect(boundedDiff(before, after)).toEqual([...myers(before, after)]);
    }),
  );
});

test('a list of 30,000 that was reordered is compared in a moment, and the result leads to it', () => {
  const [before, after] = [rising(30_000), shuffled(30_000)];
  const ranges = boundedDiff(before, after);
  expect(applied(before, after, ranges)).toEqual([...after]);
  expect(ranges.length).toBeGreaterThan(100);
});

test('a block that moved is found as moved, not as everything replaced, however long it is', () => {
  const all = [...rising(20_000)];
  const [before, after] = [
    Int32Array.from(all),
    Int32Array.from([...all.slice(9_000), ...all.slice(0, 9_000)]),
  ];
  const ranges = boundedDiff(before, after);
  expect(applied(before, after, ranges)).toEqual([...after]);
  const kept = 20_000 - ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  expect(kept).toBeGreaterThanOrEqual(11_000);
});

test('long lists of a few values that repeat have no anchors: they are replaced as a whole', () => {
  const before = Int32Array.from({ length: 8_000 }, (_, at) => (at * 7) % 5);
  const after = Int32Array.from({ length: 8_000 }, (_, at) => Math.floor(at / 100) % 5);
  expect(applied(before, after, boundedDiff(before, after))).toEqual([...after]);
});
