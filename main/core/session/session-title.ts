import { TITLE_CHARS } from '../limits';

/** Title of a session nobody has written in yet. */
export const UNTITLED = 'New session';

/** First line of the first message, cut at a word where one is near. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim() ?? '';
  if (line.length <= TITLE_CHARS) return line === '' ? UNTITLED : line;
  const cut = line.slice(0, TITLE_CHARS).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut}…`;
}
