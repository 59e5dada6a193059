/** Half-open ranges of UTF-16 units that a query matched. */
export type MatchRange = readonly [start: number, end: number];

export interface FuzzyMatch {
  /** Higher is better; only comparable within one query. */
  score: number;
  ranges: readonly MatchRange[];
}

const isWordStart = (text: string, index: number): boolean => {
  if (index === 0) return true;
  const before = text.charAt(index - 1);
  if (/[\s/\\._:-]/.test(before)) return true;
  const here = text.charAt(index);
  return here !== here.toLowerCase() && before === before.toLowerCase();
};

function toRanges(indices: readonly number[]): MatchRange[] {
  const ranges: [number, number][] = [];
  for (const index of indices) {
    const last = ranges.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else ranges.push([index, index + 1]);
  }
  return ranges;
}

function contiguous(text: string, lower: string, word: string): FuzzyMatch | null {
  let best = -1;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (best < 0 || (isWordStart(text, at) && !isWordStart(text, best))) best = at;
  }
  if (best < 0) return null;
  const score = 100 + word.length * 4 + (isWordStart(text, best) ? 40 : 0) + (best === 0 ? 20 : 0);
  return { score, ranges: [[best, best + word.length]] };
}

/** Letters in order, word starts first: `tsb` finds `Toggle side bar`. */
function scattered(text: string, lower: string, word: string): FuzzyMatch | null {
  const indices: number[] = [];
  let from = 0;
  let score = 0;
  for (const letter of word) {
    let at = lower.indexOf(letter, from);
    if (at < 0) return null;
    for (let next = at; next >= 0; next = lower.indexOf(letter, next + 1)) {
      if (!isWordStart(text, next)) continue;
      at = next;
      break;
    }
    const follows = indices.at(-1) === at - 1;
    score += (isWordStart(text, at) ? 10 : 0) + (follows ? 6 : 0) - Math.min(5, at - from);
    indices.push(at);
    from = at + 1;
  }
  return { score, ranges: toRanges(indices) };
}

function firstInOrder(lower: string, word: string): FuzzyMatch | null {
  const indices: number[] = [];
  let from = 0;
  for (const letter of word) {
    const at = lower.indexOf(letter, from);
    if (at < 0) return null;
    indices.push(at);
    from = at + 1;
  }
  return { score: -lower.length, ranges: toRanges(indices) };
}

function mergeRanges(ranges: readonly MatchRange[]): MatchRange[] {
  const sorted = [...ranges].sort((left, right) => left[0] - right[0]);
  const merged: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/**
 * Matches every word of `query` anywhere in `text`, whole words before scattered letters. An empty query matches all
 * with score 0; null is no match.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return words.length === 0 ? { score: 0, ranges: [] } : null;
  let score = 0;
  const ranges: MatchRange[] = [];
  for (const word of words) {
    const match = contiguous(text, lower, word) ?? scattered(text, lower, word) ?? firstInOrder(lower, word);
    if (!match) return null;
    score += match.score;
    ranges.push(...match.ranges);
  }
  return { score: score - text.length / 100, ranges: mergeRanges(ranges) };
}

export interface TextPiece {
  text: string;
  matched: boolean;
}

/** Cuts `text` at the ranges, for drawing matches in bold. */
export function cutPieces(text: string, ranges: readonly MatchRange[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) pieces.push({ text: text.slice(at, start), matched: false });
    pieces.push({ text: text.slice(start, end), matched: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), matched: false });
  return pieces;
}
