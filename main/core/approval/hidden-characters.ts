/**
 * Characters that alter what a reader sees without being seen, as ranges of code points: soft hyphen and joiners,
 * bidirectional controls, zero-width characters, invisible fillers, line separators that most views draw as nothing,
 * Unicode tags and supplementary variation selectors.
 */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
];

export interface HiddenCharacter {
  /** UTF-16 index into the text. */
  index: number;
  /** As "U+202E". */
  code: string;
}

function isHidden(code: number): boolean {
  return code >= 0xad && HIDDEN.some(([from, to]) => code >= from && code <= to);
}

/** Every hidden character of `text`, in order. */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  let index = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isHidden(code)) found.push({ index, code: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` });
    index += character.length;
  }
  return found;
}

/** "2 hidden characters (U+202E, U+200B)", or null when there are none. */
export function describeHidden(found: readonly HiddenCharacter[]): string | null {
  if (found.length === 0) return null;
  const codes = [...new Set(found.map((each) => each.code))].slice(0, 5).join(', ');
  return `${found.length} hidden character${found.length === 1 ? '' : 's'} (${codes})`;
}
