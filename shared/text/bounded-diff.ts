import { diff as myers } from 'fast-myers-diff';

/** Elements [oldStart, oldEnd) became [newStart, newEnd). */
type Range = [oldStart: number, oldEnd: number, newStart: number, newEnd: number];

/**
 * Up to this many elements added and removed the smallest difference is found, in some ten milliseconds; beyond it the time grows
 * with the square of this number.
 */
const MAX_DISTANCE = 1_500;
/** Stretches of at most so many elements are compared exactly whatever they hold. */
const SMALL = 200;

/**
 * What leads from one list of numbers to the other: the smallest difference as long as the lists are close; otherwise (reordered
 * lists) one along the elements that both have once, in time that hardly grows faster than the lists.
 */
export function boundedDiff(before: Int32Array, after: Int32Array): Range[] {
  if (isSmall(before, after) || isClose(before, after, MAX_DISTANCE)) return [...myers(before, after)];
  const found: Range[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [oldNext, newNext] of [...anchors(before, after), [before.length, after.length] as const]) {
    const between = compareStretch(before.subarray(oldAt, oldNext), after.subarray(newAt, newNext));
    for (const [oldStart, oldEnd, newStart, newEnd] of between)
      found.push([oldStart + oldAt, oldEnd + oldAt, newStart + newAt, newEnd + newAt]);
    [oldAt, newAt] = [oldNext + 1, newNext + 1];
  }
  return found;
}

const isSmall = (before: Int32Array, after: Int32Array): boolean => before.length + after.length <= SMALL;

/** A stretch between two anchors; a long one is taken as replaced. */
function compareStretch(before: Int32Array, after: Int32Array): Range[] {
  if (before.length === 0 && after.length === 0) return [];
  if (before.length === 0 || after.length === 0 || !isSmall(before, after))
    return [[0, before.length, 0, after.length]];
  return [...myers(before, after)];
}

/** Whether at most `most` elements have to be added and removed: Myers' search, which ends there. */
function isClose(before: Int32Array, after: Int32Array, most: number): boolean {
  const [n, m] = [before.length, after.length];
  if (Math.abs(n - m) > most) return false;
  // How far along `before` each diagonal was followed.
  const reached = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let distance = 0; distance <= most; distance += 1) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const [left, right] = [
        reached[middle + diagonal - 1] as number,
        reached[middle + diagonal + 1] as number,
      ];
      const down = diagonal === -distance || (diagonal !== distance && left < right);
      let x = down ? right : left + 1;
      while (x < n && x - diagonal < m && before[x] === after[x - diagonal]) x += 1;
      reached[middle + diagonal] = x;
      if (x >= n && x - diagonal >= m) return true;
    }
  }
  return false;
}

const SEVERAL = -1;

function placesOfUnique(list: Int32Array): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = 0; at < list.length; at += 1) {
    const element = list[at] as number;
    places.set(element, places.has(element) ? SEVERAL : at);
  }
  return places;
}

/** Elements that both lists have exactly once, as many of them as stand in the same order. */
function anchors(before: Int32Array, after: Int32Array): [number, number][] {
  const [inBefore, inAfter] = [placesOfUnique(before), placesOfUnique(after)];
  const pairs: [number, number][] = [];
  for (const [element, at] of inBefore) {
    const other = inAfter.get(element) ?? SEVERAL;
    if (at !== SEVERAL && other !== SEVERAL) pairs.push([at, other]);
  }
  return longestRising(pairs.sort(([a], [b]) => a - b));
}

/** The longest list of pairs whose second numbers rise; the first ones do already. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  // The pair with which a rising list of each length ends lowest, and what stands before each pair.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const rising: [number, number][] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index])
    rising.push(pairs[index] as [number, number]);
  return rising.reverse();
}
