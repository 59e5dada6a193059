/** Control characters that a paste must never carry: with ESC in it, pasted text could end its own bracket (sec-G04). */
const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f);

/** Text as it may go to a shell: without escape sequences and other controls; tabs and line ends stay. */
export function cleanPaste(text: string): string {
  let clean = '';
  for (const char of text) if (!isControl(char.codePointAt(0) ?? 0)) clean += char;
  return clean.replace(/\r\n?/g, '\n');
}

/**
 * True when a paste would run something at once: it has a line end, and the program has not asked for brackets around
 * pastes, so that a shell takes every line as entered.
 */
export function needsConfirmation(text: string, bracketed: boolean): boolean {
  return !bracketed && /\n/.test(text.trimEnd());
}

/** The first lines for the question; long lines are cut. */
export function pastePreview(text: string, lines = 8, width = 120): string {
  const all = text.split('\n');
  const shown = all.slice(0, lines).map((line) => (line.length > width ? `${line.slice(0, width)}…` : line));
  if (all.length > lines) shown.push(`… ${all.length - lines} more lines`);
  return shown.join('\n');
}
