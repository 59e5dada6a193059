import { findByLines } from './by-lines';
import { exact } from './exact';
import type { SourceText } from './source-text';
import type { Found, MatchStrategy, Sought } from './strategy';

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '' };
/** One level of escapes that should not be there: of everything, or of quotes alone. */
const LAYERS = [/\\([ntr"'`\\])/g, /\\(["'`])/g] as const;

const unescape = (text: string, escape: RegExp): string =>
  text.replace(escape, (_all, character: string) => ESCAPES[character] ?? character);

/** What is sought without one layer of escapes; null when it can't have been written with that layer. */
function unlayered({ oldText, newText }: Sought, escape: RegExp): Sought | null {
  const plain = { oldText: unescape(oldText, escape), newText: unescape(newText, escape) };
  if (plain.oldText === oldText || plain.oldText === plain.newText) return null;
  if (plain.newText !== newText && (hasBare(oldText, newText) || breaksString(newText, escape))) return null;
  return plain;
}

/** A quote that the text asked for escapes stands bare in the replacement: half of it is escaped and half not. */
const hasBare = (oldText: string, newText: string): boolean =>
  ['"', "'", '`'].some(
    (quote) => oldText.includes(`\\${quote}`) && new RegExp(`(^|[^\\\\])${quote}`).test(newText),
  );

/** Whether a line break of this layer would fall into a string: then it belongs there as it is written. */
function breaksString(text: string, escape: RegExp): boolean {
  let open: string | null = null;
  for (const [unit] of text.matchAll(/\\[^]|[^]/g)) {
    if (unit === '\n') open = null;
    const character = unit.at(-1) as string;
    if (/["'`]/.test(character)) open = open === null ? character : open === character ? null : open;
    if (unit !== unescape(unit, escape) && /[ntr]/.test(character) && open !== null) return true;
  }
  return false;
}

function findPlain(source: SourceText, sought: Sought): Found[] {
  const there = exact.find(source, sought);
  if (there.length > 0) return there;
  const same = findByLines(source, sought, { fold: 'spaces', indent: 'same' });
  return same.length > 0 ? same : findByLines(source, sought, { fold: 'spaces', indent: 'flexible' });
}

/**
 * A text that was escaped once too often: `\n` for line breaks, `\"` for quotes. The replacement loses the same level; where
 * two readings would write different things, there is no match.
 */
export const escapeNormalised: MatchStrategy = {
  name: 'escape-normalised',
  find: (source, sought) => {
    if (!sought.oldText.includes('\\')) return [];
    const [all, quotes] = LAYERS.map((escape) => {
      const plain = unlayered(sought, escape);
      return plain === null ? [] : findPlain(source, plain);
    }) as [Found[], Found[]];
    if (all.length === 0 || quotes.length === 0) return all.length === 0 ? quotes : all;
    return all.every(({ text }, at) => text === quotes[at]?.text) ? all : [];
  },
};
