import { diff } from 'fast-myers-diff';

/** Lines [start, end) of the old list became lines [from, to) of the new one, 0-based. */
export type LineChange = readonly [start: number, end: number, from: number, to: number];

/** Stretches longer than this, old and new together, are cut at lines that occur once before they are compared. */
const MAX_DIFFED_LINES = 8_000;

/**
 * What leads from one list of lines to another, in order: few changes, and found soon whatever the lists hold, since somebody
 * is typing meanwhile. Long stretches without a line that occurs once in both count as replaced.
 */
export function quickChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const found: LineChange[] = [];
  compare({ before, after, found }, [0, before.length, 0, after.length]);
  return found;
}

interface Comparison {
  before: readonly string[];
  after: readonly string[];
  found: LineChange[];
}

function compare(comparison: Comparison, stretch: LineChange): void {
  const { before, after, found } = comparison;
  const [start, end, from, to] = trimmed(before, after, stretch);
  if (start === end && from === to) return;
  if (start === end || from === to) found.push([start, end, from, to]);
  else if (end - start + to - from <= MAX_DIFFED_LINES) {
    for (const [a, b, c, d] of diff(before.slice(start, end), after.slice(from, to)))
      found.push([start + a, start + b, from + c, from + d]);
  } else cutUp(comparison, [start, end, from, to]);
}

function trimmed(before: readonly string[], after: readonly string[], stretch: LineChange): LineChange {
  let [start, end, from, to] = stretch;
  while (start < end && from < to && before[start] === after[from]) {
    start += 1;
    from += 1;
  }
  while (start < end && from < to && before[end - 1] === after[to - 1]) {
    end -= 1;
    to -= 1;
  }
  return [start, end, from, to];
}

/** Compares what lies between the lines that occur once on both sides, in the same order. */
function cutUp(comparison: Comparison, stretch: LineChange): void {
  const [start, end, from, to] = stretch;
  const anchors = rising(commonOnce(comparison, stretch));
  if (anchors.length === 0) {
    comparison.found.push(stretch);
    return;
  }
  let [at, newAt] = [start, from];
  for (const [line, newLine] of [...anchors, [end, to] as const]) {
    compare(comparison, [at, line, newAt, newLine]);
    [at, newAt] = [line + 1, newLine + 1];
  }
}

type Pair = readonly [line: number, newLine: number];

function commonOnce({ before, after }: Comparison, [start, end, from, to]: LineChange): Pair[] {
  const places = (lines: readonly string[], first: number, last: number): Map<string, number> => {
    const map = new Map<string, number>();
    for (let at = first; at < last; at += 1) {
      const line = lines[at] as string;
      map.set(line, map.has(line) ? -1 : at);
    }
    return map;
  };
  const there = places(after, from, to);
  const pairs: Pair[] = [];
  for (const [line, at] of places(before, start, end)) {
    const newAt = there.get(line) ?? -1;
    if (at >= 0 && newAt >= 0) pairs.push([at, newAt]);
  }
  return pairs.sort(([left], [right]) => left - right);
}

/** The longest part of the pairs whose new lines rise too. */
function rising(pairs: readonly Pair[]): Pair[] {
  /** By length: which pair ends the best run of that length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, newLine]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as Pair)[1] < newLine) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = index;
  }
  const run: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) run.push(pairs[at] as Pair);
  return run.reverse();
}
