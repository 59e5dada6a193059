/**
 * What counts as the same inside a line: `plain` nothing but itself, `spaces` any run of blanks, `unicode` also
 * punctuation that looks alike, composed and decomposed letters, and characters of no width. Letters that only look alike
 * (Cyrillic а) stay different: a name spelt with them is another name.
 */
export type Fold = 'plain' | 'spaces' | 'unicode';

const BLANKS = /[ \t]{2,}|\t/g;
const NON_ASCII = /[^\0-\x7f]/;
/** A run of white space, or one letter with its marks. */
const UNITS = /\s+|\P{M}\p{M}*|\p{M}+/gu;

const LOOK_ALIKES = new Map<string, string>(
  (
    [
      ["'", '\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4'],
      ['"', '\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb'],
      ['-', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d'],
      ['...', '\u2026'],
      ['', '\u200b\u200c\u200d\u2060\ufeff\u00ad'],
    ] as const
  ).flatMap(([plain, alike]) => [...alike].map((character) => [character, plain] as const)),
);

function foldUnit(unit: string, fold: Fold): string {
  if (fold === 'spaces') return /^[ \t]+$/.test(unit) ? ' ' : unit;
  if (/^\s/.test(unit)) return ' ';
  const composed = unit.normalize('NFC');
  return LOOK_ALIKES.get(composed) ?? composed;
}

/** The text that is compared: that of {@link foldWithMap}, but quick. */
export function foldText(text: string, fold: Fold): string {
  if (fold === 'plain') return text;
  if (fold === 'spaces' || !NON_ASCII.test(text)) return text.replace(BLANKS, ' ');
  return text.replace(UNITS, (unit) => foldUnit(unit, fold));
}

export interface Folded {
  text: string;
  /** Per position in `text` (and its end) the position in the original; -1 where it falls inside one character. */
  at: number[];
}

/** The folded text with the way back. */
export function foldWithMap(original: string, fold: Fold): Folded {
  if (fold === 'plain')
    return { text: original, at: Array.from({ length: original.length + 1 }, (_, index) => index) };
  let text = '';
  const at: number[] = [];
  for (const { 0: unit, index } of original.matchAll(UNITS)) {
    const key = foldUnit(unit, fold);
    for (let step = 0; step < key.length; step += 1) at.push(step === 0 || key === unit ? index + step : -1);
    text += key;
  }
  at.push(original.length);
  return { text, at };
}
