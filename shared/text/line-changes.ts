import { boundedDiff } from './bounded-diff';

/** Above this many comparable lines a minimal diff costs too much: the changed middle is shown as replaced. */
const MAX_COMPARED_LINES = 60_000;

/** Old lines [oldStart, oldEnd) became new lines [newStart, newEnd), 0-based. */
export type Change = [oldStart: number, oldEnd: number, newStart: number, newEnd: number];

export interface Lines {
  /** Without line breaks. */
  lines: string[];
  /** What is compared: a last line without a line break differs from the same line with one. */
  keys: string[];
  finalNewline: boolean;
}

export function splitLines(text: string): Lines {
  if (text === '') return { lines: [], keys: [], finalNewline: true };
  const lines = text.split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
    return { lines, keys: lines, finalNewline: true };
  }
  const keys = lines.slice();
  keys[keys.length - 1] = `${lines.at(-1) ?? ''}\n(no line break)`;
  return { lines, keys, finalNewline: false };
}

/** The changes that lead from one list of line keys (or numbers for them) to the other, in order; as few lines as possible unless lines were reordered by the thousand. */
export function changesBetween<K extends string | number>(
  before: ArrayLike<K>,
  after: ArrayLike<K>,
): Change[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  if (oldEnd === start && newEnd === start) return [];
  if (oldEnd === start || newEnd === start) return [[start, oldEnd, start, newEnd]];
  return compareMiddle(before, after, [start, oldEnd, start, newEnd]);
}

/**
 * Lines that the other side does not have can't be part of what both have in common, so only the rest is compared: the
 * result is as small as ever and a file rewritten from scratch costs next to nothing.
 */
function compareMiddle<K extends string | number>(
  before: ArrayLike<K>,
  after: ArrayLike<K>,
  middle: Change,
): Change[] {
  const [oldStart, oldEnd, newStart, newEnd] = middle;
  const inOld = new Map<K, number>();
  for (let i = oldStart; i < oldEnd; i += 1) inOld.set(before[i] as K, i);
  const numbers = new Map<K, number>();
  const newAt: number[] = [];
  const newIds: number[] = [];
  for (let i = newStart; i < newEnd; i += 1) {
    const id = inOld.get(after[i] as K);
    if (id === undefined) continue;
    numbers.set(after[i] as K, id);
    newAt.push(i);
    newIds.push(id);
  }
  const oldAt: number[] = [];
  const oldIds: number[] = [];
  for (let i = oldStart; i < oldEnd; i += 1) {
    const id = numbers.get(before[i] as K);
    if (id === undefined) continue;
    oldAt.push(i);
    oldIds.push(id);
  }
  if (oldIds.length + newIds.length > MAX_COMPARED_LINES) return [middle];
  return changesFromCommon(commonLines(oldIds, newIds, oldAt, newAt), middle);
}

/** Pairs of 0-based line numbers that stay, in order. */
function commonLines(
  oldIds: number[],
  newIds: number[],
  oldAt: number[],
  newAt: number[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let oldNext = 0;
  let newNext = 0;
  const keep = (until: number): void => {
    while (oldNext < until) pairs.push([oldAt[oldNext++] as number, newAt[newNext++] as number]);
  };
  for (const [oldStart, oldEnd, , newEnd] of boundedDiff(Int32Array.from(oldIds), Int32Array.from(newIds))) {
    keep(oldStart);
    oldNext = oldEnd;
    newNext = newEnd;
  }
  keep(oldIds.length);
  return pairs;
}

function changesFromCommon(pairs: [number, number][], middle: Change): Change[] {
  const changes: Change[] = [];
  const [, oldEnd, , newEnd] = middle;
  let [oldNext, , newNext] = middle;
  for (const [oldLine, newLine] of [...pairs, [oldEnd, newEnd] as const]) {
    if (oldLine > oldNext || newLine > newNext) changes.push([oldNext, oldLine, newNext, newLine]);
    oldNext = oldLine + 1;
    newNext = newLine + 1;
  }
  return changes;
}
