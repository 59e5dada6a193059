/** A piece of text as it must be shown: itself, one hidden character by its code, or a run of whitespace by its length. */
export type TextPiece =
  | { kind: 'text'; text: string }
  | { kind: 'hidden'; code: string; text: string }
  | { kind: 'spaces'; count: number; text: string };

/**
 * Characters that change how text reads without being seen (Trojan Source, CVE-2021-42574; "ASCII smuggling" by tag
 * characters): control characters other than tab and line feed, soft hyphen, fillers, zero-width and bidi controls,
 * variation selectors but for text and emoji style, musical controls, tags.
 */
const HIDDEN_RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const escapeCode = (code: number): string => `\\u{${code.toString(16)}}`;
const HIDDEN = new RegExp(
  `[${HIDDEN_RANGES.map(([from, to]) => `${escapeCode(from)}-${escapeCode(to)}`).join('')}]`,
  'u',
);

/** Runs of at least this many blanks are shown as a count: they can push text out of sight. */
export const LONG_RUN = 24;

const LONG_SPACES = new RegExp(
  `[ \\t\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]{${LONG_RUN},}|\\n{8,}`,
  'u',
);
const SPECIAL = new RegExp(`${HIDDEN.source}|${LONG_SPACES.source}`, 'gu');

export const hasHidden = (text: string): boolean => HIDDEN.test(text);

/** `U+202E` for a character's code point. */
export const codeOf = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** How many hidden characters `text` holds. */
export function countHidden(text: string): number {
  return splitHidden(text).filter((piece) => piece.kind === 'hidden').length;
}

/** Cuts `text` at hidden characters and long runs of blanks; joining every piece's `text` gives it back. */
export function splitHidden(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(SPECIAL)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    pieces.push(specialPiece(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

function specialPiece(match: string): TextPiece {
  return HIDDEN.test(match)
    ? { kind: 'hidden', code: codeOf(match), text: match }
    : { kind: 'spaces', count: match.length, text: match };
}

/** The same as one string, for attributes and plain boxes: `a<U+202E>b`, `a␠×5000b`. */
export function revealHidden(text: string): string {
  return splitHidden(text)
    .map((piece) => {
      if (piece.kind === 'hidden') return `<${piece.code}>`;
      if (piece.kind === 'spaces') return `␠×${piece.count}`;
      return piece.text;
    })
    .join('');
}
