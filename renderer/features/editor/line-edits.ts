import { diff } from 'fast-myers-diff';

/** Replaces whole lines `start` (1-based) to `end` (exclusive) of the old text by `lines`. */
export interface LineEdit {
  start: number;
  end: number;
  lines: readonly string[];
}

/** Between the first and the last changed line more than this is replaced as one piece: finding less would take long. */
const MAX_DIFFED_LINES = 8_000;

/** The line breaks of editors; lone CR is a character of its line. */
const linesOf = (text: string): string[] => text.split('\n');

function commonPrefix(left: readonly string[], right: readonly string[]): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count] === right[count]) count += 1;
  return count;
}

function commonSuffix(left: readonly string[], right: readonly string[], prefix: number): number {
  const most = Math.min(left.length, right.length) - prefix;
  let count = 0;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count += 1;
  return count;
}

/**
 * The fewest whole-line replacements that turn `before` into `after` (LF line ends), in order and apart from each other.
 * With these an editor can follow a file without moving cursor, scroll and folds that the change does not touch.
 */
export function lineEdits(before: string, after: string): LineEdit[] {
  if (before === after) return [];
  const left = linesOf(before);
  const right = linesOf(after);
  const prefix = commonPrefix(left, right);
  const suffix = commonSuffix(left, right, prefix);
  const oldMiddle = left.slice(prefix, left.length - suffix);
  const newMiddle = right.slice(prefix, right.length - suffix);
  const whole: LineEdit = { start: prefix + 1, end: prefix + 1 + oldMiddle.length, lines: newMiddle };
  if (oldMiddle.length === 0 || newMiddle.length === 0) return [whole];
  if (oldMiddle.length + newMiddle.length > MAX_DIFFED_LINES) return [whole];
  return [...diff(oldMiddle, newMiddle)].map(([fromOld, toOld, fromNew, toNew]) => ({
    start: prefix + 1 + fromOld,
    end: prefix + 1 + toOld,
    lines: newMiddle.slice(fromNew, toNew),
  }));
}

/** A replacement of characters: 1-based lines and columns, the end exclusive. */
export interface TextEdit {
  range: { startLineNumber: number; startColumn: number; endLineNumber: number; endColumn: number };
  text: string;
}

/**
 * A line edit as an editor wants it. Line breaks belong to the edit: deleted lines take theirs along, at the end of the
 * text the one before them.
 *
 * @param lineLength characters of a 1-based line of the old text
 */
export function toTextEdit(
  edit: LineEdit,
  lineCount: number,
  lineLength: (line: number) => number,
): TextEdit {
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
