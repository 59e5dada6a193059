import { quickChanges } from './quick-changes';

/** Replaces whole lines `start` (1-based) to `end` (exclusive) of the old text by `lines`. */
export interface LineEdit {
  start: number;
  end: number;
  lines: readonly string[];
}

/** The line breaks of editors; lone CR is a character of its line. */
const linesOf = (text: string): string[] => text.split('\n');

/**
 * The fewest whole-line replacements that turn `before` into `after` (LF line ends), in order and apart from each other.
 * With these an editor can follow a file without moving cursor, scroll and folds that the change does not touch.
 */
export function lineEdits(before: string, after: string): LineEdit[] {
  if (before === after) return [];
  const [left, right] = [linesOf(before), linesOf(after)];
  return quickChanges(left, right).map(([start, end, from, to]) => ({
    start: start + 1,
    end: end + 1,
    lines: right.slice(from, to),
  }));
}

const isHighSurrogate = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text.charAt(at));

/** What changed within one line; whole characters only. */
function editOfLine(line: number, before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < most && before[prefix] === after[prefix]) prefix += 1;
  if (prefix > 0 && isHighSurrogate(before, prefix - 1)) prefix -= 1;
  let suffix = 0;
  while (suffix < most - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix += 1;
  if (suffix > 0 && isHighSurrogate(before, before.length - suffix - 1)) suffix -= 1;
  return {
    range: {
      startLineNumber: line,
      startColumn: prefix + 1,
      endLineNumber: line,
      endColumn: before.length - suffix + 1,
    },
    text: after.slice(prefix, after.length - suffix),
  };
}

/**
 * A line edit as an editor wants it, as small as can be: where lines stay lines only their changed characters are
 * replaced, so that a cursor beside them stays where it is.
 *
 * @param lineOf text of a 1-based line of the old text
 */
export function toTextEdits(edit: LineEdit, lineCount: number, lineOf: (line: number) => string): TextEdit[] {
  const { start, end, lines } = edit;
  if (end - start !== lines.length) return [toTextEdit(edit, lineCount, (line) => lineOf(line).length)];
  return lines.flatMap((after, at) => {
    const before = lineOf(start + at);
    return before === after ? [] : [editOfLine(start + at, before, after)];
  });
}

/** A replacement of characters: 1-based lines and columns, the end exclusive. */
export interface TextEdit {
  range: { startLineNumber: number; startColumn: number; endLineNumber: number; endColumn: number };
  text: string;
}

/**
 * Whole lines as an editor replaces them. Line breaks belong to the edit: deleted lines take theirs along, at the end of the
 * text the one before them.
 *
 * @param lineLength characters of a 1-based line of the old text
 */
function toTextEdit(edit: LineEdit, lineCount: number, lineLength: (line: number) => number): TextEdit {
  const { start, end, lines } = edit;
  const text = lines.join('\n');
  if (end <= lineCount) {
    const range = { startLineNumber: start, startColumn: 1, endLineNumber: end, endColumn: 1 };
    return { range, text: lines.length === 0 ? '' : `${text}\n` };
  }
  const endColumn = lineLength(lineCount) + 1;
  if (start === 1) {
    return { range: { startLineNumber: 1, startColumn: 1, endLineNumber: lineCount, endColumn }, text };
  }
  const startColumn = lineLength(start - 1) + 1;
  const range = { startLineNumber: start - 1, startColumn, endLineNumber: lineCount, endColumn };
  return { range, text: lines.length === 0 ? '' : `\n${text}` };
}
