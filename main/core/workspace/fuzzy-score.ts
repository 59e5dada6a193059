/** Text prepared for matching once, so that a query only compares. */
export interface FuzzyText {
  readonly text: string;
  readonly lower: string;
  /** Index of the file name's first character. */
  readonly nameStart: number;
  /** How many folders it lies in. */
  readonly depth: number;
  /** One bit per letter a–z and digit that occurs: most misses end here. */
  readonly mask: number;
}

const BONUS_START = 8;
const BONUS_SEPARATOR = 7;
const BONUS_HUMP = 6;
const BONUS_RUN = 5;
const BONUS_CASE = 1;
const GAP = -1;
const MATCH = 2;
const NONE = -1_000_000;
/** A match inside the file name alone beats any match that needs the folders. */
const NAME_BONUS = 1000;
const NAME_PREFIX_BONUS = 200;
const NAME_EQUAL_BONUS = 500;

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << (26 + ((code - 48) >> 1));
  return 0;
}

export function maskOf(lower: string): number {
  let mask = 0;
  for (let i = 0; i < lower.length; i += 1) mask |= bitOf(lower.charCodeAt(i));
  return mask;
}

/** @param path `/`-separated */
export function fuzzyText(path: string): FuzzyText {
  const text = path.normalize('NFC');
  const folded = text.toLowerCase();
  // A few letters change length when lowered; then positions would not fit, so case is left alone.
  const lower = folded.length === text.length ? folded : text;
  const depth = text.split('/').length - 1;
  return { text, lower, depth, nameStart: text.lastIndexOf('/') + 1, mask: maskOf(lower) };
}

const isSeparator = (code: number): boolean =>
  code === 47 || code === 95 || code === 45 || code === 46 || code === 32 || code === 92;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function placeBonus(text: string, at: number, start: number): number {
  if (at === start) return BONUS_START;
  const before = text.charCodeAt(at - 1);
  if (isSeparator(before)) return BONUS_SEPARATOR;
  const here = text.charCodeAt(at);
  const hump = (isUpper(here) && !isUpper(before)) || (isDigit(here) && !isDigit(before));
  return hump && (isLower(before) || isUpper(here)) ? BONUS_HUMP : 0;
}

function isSubsequence(query: string, lower: string, start: number): boolean {
  let at = start;
  for (let i = 0; i < query.length; i += 1) {
    at = lower.indexOf(query[i] as string, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Places of one query character, in order, each with the best total of all ways that end there. */
interface Row {
  places: number[];
  totals: number[];
  count: number;
}
let previous: Row = { places: [], totals: [], count: 0 };
let current: Row = { places: [], totals: [], count: 0 };

/** Fills `current` from `previous`: each place continues a run or jumps over a gap, whichever gives more. */
function place(wanted: string, exact: string, subject: FuzzyText, start: number, isFirst: boolean): void {
  const { text, lower } = subject;
  let count = 0;
  let next = 0;
  let reach = isFirst ? 0 : NONE;
  let reachAt = start;
  const from = isFirst ? start : (previous.places[0] as number) + 1;
  for (let at = lower.indexOf(wanted, from); at !== -1; at = lower.indexOf(wanted, at + 1)) {
    while (next < previous.count && (previous.places[next] as number) < at - 1) {
      const end = previous.places[next] as number;
      reach = Math.max(reach + GAP * (end - reachAt), previous.totals[next] as number);
      reachAt = end;
      next += 1;
    }
    const isRun = next < previous.count && previous.places[next] === at - 1;
    const jump = isFirst ? 0 : reach + GAP * (at - reachAt - 1);
    const base = isRun ? Math.max(jump, (previous.totals[next] as number) + BONUS_RUN) : jump;
    current.places[count] = at;
    current.totals[count] =
      base + MATCH + placeBonus(text, at, start) + (text[at] === exact ? BONUS_CASE : 0);
    count += 1;
  }
  current.count = count;
}

/** Best total of all ways to place the query's characters in order; the caller knows that there is one. */
function align(query: string, lowerQuery: string, subject: FuzzyText, start: number): number {
  previous.count = 0;
  for (let i = 0; i < query.length; i += 1) {
    place(lowerQuery[i] as string, query[i] as string, subject, start, i === 0);
    [previous, current] = [current, previous];
  }
  let best = NONE;
  for (let i = 0; i < previous.count; i += 1) best = Math.max(best, previous.totals[i] as number);
  return best;
}

/**
 * How well `query` fits; null when its characters do not occur in order. Higher is better: file name before path, then
 * starts of words and camel humps, runs, equal letter case, few gaps.
 *
 * @param lowerQuery `query` in lower case
 */
export function fuzzyScore(query: string, lowerQuery: string, subject: FuzzyText): number | null {
  if (lowerQuery.length !== query.length) return null;
  const { lower, nameStart, text } = subject;
  if (isSubsequence(lowerQuery, lower, nameStart)) {
    const isPrefix = lower.startsWith(lowerQuery, nameStart);
    const isWhole = isPrefix && text.length - nameStart === query.length;
    const fit = isWhole ? NAME_EQUAL_BONUS : isPrefix ? NAME_PREFIX_BONUS : 0;
    return NAME_BONUS + fit + align(query, lowerQuery, subject, nameStart);
  }
  return isSubsequence(lowerQuery, lower, 0) ? align(query, lowerQuery, subject, 0) : null;
}
