import { findTerms, type SearchTerm } from './search-query';

/** Characters of a snippet, and how many of them stand before the first hit. */
const SNIPPET_CHARS = 180;
const LEAD_CHARS = 20;
/** A hit this close to the beginning is shown with the beginning. */
const NEAR_CHARS = 32;

export interface Snippet {
  /** One line of text. */
  text: string;
  /** Hits in it: UTF-16 offsets, end exclusive. */
  ranges: [number, number][];
}

/** Moves a cut away from the middle of a word, by a few characters at most. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(' ', at - 1);
  return space >= 0 && space - at < 20 ? space + 1 : at;
}

/** The part of a text around the first hit, as one line, with all hits in it. Without hits: its beginning. */
export function snippetOf(text: string, terms: readonly SearchTerm[]): Snippet {
  const line = text.replace(/\s+/g, ' ').trim().toWellFormed();
  const all = findTerms(line, terms);
  const first = all[0]?.[0] ?? 0;
  const start = first <= NEAR_CHARS ? 0 : wordStart(line, first - LEAD_CHARS);
  const end = Math.min(line.length, start + SNIPPET_CHARS);
  const before = start > 0 ? '…' : '';
  const shift = before.length - start;
  const ranges = all
    .filter(([from, to]) => from >= start && to <= end)
    .map(([from, to]): [number, number] => [from + shift, to + shift]);
  return { text: `${before}${line.slice(start, end)}${end < line.length ? '…' : ''}`, ranges };
}
