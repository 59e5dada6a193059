/** A summary shorter than this says nothing of a conversation that needed one. */
const LEAST_CHARS = 160;
const SHINGLE_WORDS = 6;
/** Below this share of different word groups a text repeats itself. */
const LEAST_VARIETY = 0.5;
/** Above this share of word groups that stand in the input a text is a copy of it. */
const MOST_COPIED = 0.6;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

function shingles(text: string): string[] {
  const words = wordsOf(text);
  if (words.length < SHINGLE_WORDS) return [];
  return Array.from({ length: words.length - SHINGLE_WORDS + 1 }, (_, i) =>
    words.slice(i, i + SHINGLE_WORDS).join(' '),
  );
}

/**
 * Why a summary is of no use (X3): `short`, `repetitive`, or an `echo` of what was to be summarised; null when it will do.
 */
export function degenerate(summary: string, input: string): 'short' | 'repetitive' | 'echo' | null {
  const text = summary.trim();
  if (text.length < Math.min(LEAST_CHARS, input.length / 4)) return 'short';
  const groups = shingles(text);
  if (groups.length < 20) return null;
  if (new Set(groups).size / groups.length < LEAST_VARIETY) return 'repetitive';
  const source = new Set(shingles(input));
  const copied = groups.filter((group) => source.has(group)).length / groups.length;
  return copied > MOST_COPIED ? 'echo' : null;
}
