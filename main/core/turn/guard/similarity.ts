/** Words of a shingle. Three keep the order of words in the measure and still allow for a changed word here and there. */
const SHINGLE_WORDS = 3;

/** Lower-cased words and numbers of a text, in any script that separates them. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** All runs of three words. */
export function shingles(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at += 1) {
    found.add(words.slice(at, at + SHINGLE_WORDS).join(' '));
  }
  return found;
}

/** Jaccard similarity: shared shingles over all shingles, 0 (nothing in common) to 1 (the same set). */
export function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let shared = 0;
  for (const shingle of left) if (right.has(shingle)) shared += 1;
  return shared / (left.size + right.size - shared);
}
