/** One `key: value` of a front matter with the line it stands on (1-based, of the whole file). */
export interface FrontMatterEntry {
  key: string;
  value: string | string[];
  line: number;
}

export interface FrontMatter {
  entries: FrontMatterEntry[];
  /** What follows the closing line, trimmed. */
  body: string;
  problems: { line: number; message: string }[];
}

const KEY = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/;
const ITEM = /^\s*-\s+(.*)$/;
const BLOCK = /^[>|][+-]?$/;

/**
 * Reads the block between two `---` lines at the start of a Markdown file: plain keys with a text, a list (`[a, b]` or
 * `- a` lines) or a block of indented lines. That is what such files use of YAML; anything else is reported with its line
 * and left out.
 *
 * @returns null when the file does not begin with such a block
 */
export function readFrontMatter(text: string): FrontMatter | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return null;
  const end = lines.findIndex((line, i) => i > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end === -1) return null;
  const matter: FrontMatter = {
    entries: [],
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
    problems: [],
  };
  for (let at = 1; at < end;) at = readEntry(lines, at, end, matter);
  return matter;
}

/** Reads the entry at a line; returns the line after it. */
function readEntry(lines: readonly string[], at: number, end: number, matter: FrontMatter): number {
  const line = lines[at] ?? '';
  if (line.trim() === '' || line.trimStart().startsWith('#')) return at + 1;
  const [, key, rest] = KEY.exec(line) ?? [];
  if (key === undefined || rest === undefined) {
    matter.problems.push({ line: at + 1, message: 'this is not `key: value`' });
    return at + 1;
  }
  const first = uncommented(rest);
  const below = indented(lines, at + 1, end);
  const entry = (value: string | string[]): void => void matter.entries.push({ key, value, line: at + 1 });
  if (first === '' && below.length > 0 && below.every((each) => each.trim() === '' || ITEM.test(each))) {
    entry(below.flatMap((each) => ITEM.exec(each)?.[1] ?? []).map((each) => unquoted(uncommented(each))));
  } else if (BLOCK.test(first) || (first === '' && below.length > 0)) {
    entry(folded(below, first.startsWith('|')));
  } else if (first.startsWith('[')) {
    if (!first.endsWith(']'))
      matter.problems.push({ line: at + 1, message: 'the list does not end on its line' });
    else entry(splitList(first.slice(1, -1)));
  } else {
    entry(unquoted(first));
    const stray = below.findIndex((each) => each.trim() !== '');
    if (stray !== -1) matter.problems.push({ line: at + 2 + stray, message: 'this line belongs to no key' });
  }
  return at + 1 + below.length;
}

/** The lines below a key that belong to it: indented ones, list items and blanks between them. */
function indented(lines: readonly string[], from: number, end: number): string[] {
  let to = from;
  while (
    to < end &&
    (/^\s+\S/.test(lines[to] ?? '') || ITEM.test(lines[to] ?? '') || (lines[to] ?? '').trim() === '')
  )
    to += 1;
  return lines.slice(from, to);
}

function folded(lines: readonly string[], keepBreaks: boolean): string {
  const trimmed = lines.map((line) => line.trim());
  return trimmed.join(keepBreaks ? '\n' : ' ').trim();
}

/** A comment begins with a blank and `#`, outside quotes. */
function uncommented(text: string): string {
  const trimmed = text.trim();
  if (/^["']/.test(trimmed)) return trimmed;
  return trimmed.replace(/\s+#.*$/, '').trim();
}

function unquoted(text: string): string {
  const quote = text[0];
  if ((quote !== '"' && quote !== "'") || text.length < 2) return text;
  const close = text.lastIndexOf(quote);
  if (close === 0) return text;
  const inner = text.slice(1, close);
  return quote === '"'
    ? inner.replace(/\\(["\\n])/g, (_match, c: string) => (c === 'n' ? '\n' : c))
    : inner.replaceAll("''", "'");
}

/** `a, "b", c` as a list without empty entries. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => unquoted(each.trim()))
    .filter((each) => each !== '');
