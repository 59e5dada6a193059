/** The `@` under the caret: where it stands and what was typed after it. */
export interface MentionQuery {
  readonly from: number;
  readonly query: string;
}

const OPEN_MENTION = /(^|[\s([{"'])@([^\s@"]{0,120})$/;
const MENTION = /(^|[\s([{"'])@(?:"([^"\n]{1,300})"|([^\s@"]{1,300}))/g;

/** The mention being typed at `caret`, or null. Mail addresses are none. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const match = OPEN_MENTION.exec(text.slice(0, caret));
  if (!match) return null;
  const query = match[2] ?? '';
  return { from: caret - query.length - 1, query };
}

/** Puts `path` in the place of what was typed, with a blank after it; paths with blanks are quoted. */
export function insertMention(
  text: string,
  { from, query }: MentionQuery,
  path: string,
): { text: string; caret: number } {
  const mention = /\s/.test(path) ? `@"${path}"` : `@${path}`;
  const rest = text.slice(from + 1 + query.length);
  const gap = /^\s/.test(rest) ? '' : ' ';
  return { text: text.slice(0, from) + mention + gap + rest, caret: from + mention.length + 1 };
}

/** A message cut at its mentions; joining the texts gives it back. */
export function splitMentions(text: string): { text: string; path: string | null }[] {
  const parts: { text: string; path: string | null }[] = [];
  let at = 0;
  for (const match of text.matchAll(MENTION)) {
    const from = match.index + (match[1]?.length ?? 0);
    const path = match[2] ?? trimSentence(match[3] ?? '');
    const end = match[2] === undefined ? from + 1 + path.length : match.index + match[0].length;
    if (path === '') continue;
    if (from > at) parts.push({ text: text.slice(at, from), path: null });
    parts.push({ text: text.slice(from, end), path });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), path: null });
  return parts;
}

/** A mention at the end of a sentence does not take its full stop along. */
const trimSentence = (path: string): string => path.replace(/[.,;:!?)\]}'"]+$/, '');

/** Every path that a message mentions, each once. */
export function mentionedPaths(text: string): string[] {
  const paths = splitMentions(text).flatMap((part) => (part.path === null ? [] : [part.path]));
  return [...new Set(paths)];
}
