/**
 * Characters that could move the cursor, recolour, hide or reorder text in a terminal: controls (`Cc`), formatting
 * characters such as zero-width, bidirectional and tag characters (`Cf`), and line separators.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Model, file and command text as it is safe to print: what a terminal would act on is shown as `\u{…}` instead. */
export const plainText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (character) =>
      character === '\n' || character === '\t' ? character : escaped(character),
    );

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;

/** {@link plainText} on one line of at most `maxChars` characters. */
export function plainLine(text: string, maxChars = 200): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
