import { diff as myers } from 'fast-myers-diff';
import type { DiffHunk, DiffLine } from '../../../shared/model/diff';
import type { CodeSpan } from '../markdown/tokenize-code';

/** What of a line differs from its counterpart: UTF-16 offsets, end exclusive, in order. */
export type Marks = readonly (readonly [from: number, to: number])[];

const NO_MARKS: Marks = [];
/** Longer lines get no marks: they would be noise and cost time. */
const MAX_CHARS = 400;
/** Lines that share less than this part of their text were rewritten, not changed in places. */
const MIN_SHARED = 0.35;

/** Marks for every line of a hunk; removed lines are compared with the added lines that follow them, in order. */
export function hunkMarks(hunk: DiffHunk): Marks[] {
  const marks: Marks[] = hunk.lines.map(() => NO_MARKS);
  let at = 0;
  while (at < hunk.lines.length) {
    const removed = runLength(hunk.lines, at, 'delete');
    const added = runLength(hunk.lines, at + removed, 'add');
    markRun(hunk.lines, at, at + removed, at + removed + added, marks);
    at += Math.max(1, removed + added);
  }
  return marks;
}

/** Longer runs are compared line by line, without looking for the best match. */
const MAX_SEARCHED = 20;

/** Finds for each removed line of [from, middle) the added line of [middle, to) that it became, without crossing over. */
function markRun(lines: readonly DiffLine[], from: number, middle: number, to: number, marks: Marks[]): void {
  let next = middle;
  for (let before = from; before < middle && next < to; before += 1) {
    const end = to - from > MAX_SEARCHED ? next + 1 : to;
    const best = bestMatch(lines[before]?.text ?? '', lines, next, end);
    if (best === null) {
      if (to - from > MAX_SEARCHED) next += 1;
      continue;
    }
    [marks[before], marks[best.line]] = best.pair.marks;
    next = best.line + 1;
  }
}

function bestMatch(
  text: string,
  lines: readonly DiffLine[],
  from: number,
  to: number,
): { line: number; pair: LinePair } | null {
  let best: { line: number; pair: LinePair } | null = null;
  for (let line = from; line < to; line += 1) {
    const pair = comparePair(text, lines[line]?.text ?? '');
    if (pair.shared >= MIN_SHARED && pair.shared > (best?.pair.shared ?? 0)) best = { line, pair };
  }
  return best;
}

function runLength(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end - from;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];

interface LinePair {
  readonly marks: [Marks, Marks];
  /** The part of the longer line that both have, 0–1. */
  readonly shared: number;
}

/** The words by which two versions of a line differ; none when the lines have little in common. */
export function linePair(before: string, after: string): [Marks, Marks] {
  const { marks, shared } = comparePair(before, after);
  return shared < MIN_SHARED ? [NO_MARKS, NO_MARKS] : marks;
}

function comparePair(before: string, after: string): LinePair {
  if (before.length > MAX_CHARS || after.length > MAX_CHARS)
    return { marks: [NO_MARKS, NO_MARKS], shared: 0 };
  const left = wordsOf(before);
  const right = wordsOf(after);
  const leftAt = offsets(left);
  const rightAt = offsets(right);
  const inLeft: [number, number][] = [];
  const inRight: [number, number][] = [];
  for (const [lFrom, lTo, rFrom, rTo] of myers(left, right)) {
    addMark(inLeft, leftAt[lFrom] ?? 0, leftAt[lTo] ?? 0);
    addMark(inRight, rightAt[rFrom] ?? 0, rightAt[rTo] ?? 0);
  }
  const changed = Math.max(markedChars(before, inLeft), markedChars(after, inRight));
  const total = Math.max(before.trim().length, after.trim().length, 1);
  return { marks: [inLeft, inRight], shared: 1 - changed / total };
}

function offsets(words: readonly string[]): number[] {
  const at = [0];
  for (const word of words) at.push((at.at(-1) ?? 0) + word.length);
  return at;
}

function addMark(marks: [number, number][], from: number, to: number): void {
  if (from === to) return;
  const last = marks.at(-1);
  // One blank or sign between two marks is easier to read as one mark.
  if (last && from - last[1] <= 1) last[1] = to;
  else marks.push([from, to]);
}

const markedChars = (text: string, marks: Marks): number =>
  marks.reduce((sum, [from, to]) => sum + text.slice(from, to).trim().length, 0);

export interface MarkedSpan extends CodeSpan {
  readonly marked: boolean;
}

/** Cuts coloured spans at the borders of marks; the texts still join to the line. */
export function markSpans(spans: readonly CodeSpan[], marks: Marks): MarkedSpan[] {
  const pieces: MarkedSpan[] = [];
  let at = 0;
  for (const { kind, text } of spans) {
    const end = at + text.length;
    const cuts = marks.flat().filter((cut) => cut > at && cut < end);
    for (const [i, from] of [at, ...cuts].entries()) {
      const to = [...cuts, end][i] ?? end;
      const marked = marks.some(([markFrom, markTo]) => from >= markFrom && to <= markTo);
      pieces.push({ kind, text: text.slice(from - at, to - at), marked });
    }
    at = end;
  }
  return pieces;
}
