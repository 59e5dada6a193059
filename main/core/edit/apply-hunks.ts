import type { DiffHunk, DiffLine, FileDiff } from '../../../shared/model/diff';

/** One side of a change: which lines it has, where its hunks start, and the sign its lines carry in the unified text. */
interface Side {
  lacks: DiffLine['kind'];
  start(hunk: DiffHunk): number;
  count(hunk: DiffHunk): number;
  sign: '+' | '-';
}

const OLD: Side = { lacks: 'add', start: (hunk) => hunk.oldStart, count: (hunk) => hunk.oldLines, sign: '-' };
const NEW: Side = {
  lacks: 'delete',
  start: (hunk) => hunk.newStart,
  count: (hunk) => hunk.newLines,
  sign: '+',
};

const NO_NEWLINE = '\\ No newline at end of file';

/** The hunk's lines as one side has them. */
const linesOf = (hunk: DiffHunk, side: Side): string[] =>
  hunk.lines.filter((line) => line.kind !== side.lacks).map((line) => line.text);

/** Lines before a hunk, 0-based: the unified format names the line before an empty range. */
const offsetOf = (hunk: DiffHunk, side: Side): number => side.start(hunk) - (side.count(hunk) === 0 ? 0 : 1);

const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((line, at) => line === right[at]);

function applyTo(text: string, diff: FileDiff, from: Side, to: Side): string | null {
  if (diff.truncated) return null;
  const lines = text === '' ? [] : text.split('\n');
  const endsWithNewline = lines.at(-1) === '';
  if (endsWithNewline) lines.pop();
  const made: string[] = [];
  let at = 0;
  for (const hunk of diff.hunks) {
    const start = offsetOf(hunk, from);
    const known = linesOf(hunk, from);
    if (start < at || !same(lines.slice(start, start + known.length), known)) return null;
    made.push(...lines.slice(at, start), ...linesOf(hunk, to));
    at = start + known.length;
  }
  const reachesEnd = at === lines.length && diff.hunks.length > 0;
  made.push(...lines.slice(at));
  if (made.length === 0) return '';
  const final = reachesEnd ? !lacksNewline(diff, to) : endsWithNewline;
  return `${made.join('\n')}${final ? '\n' : ''}`;
}

/** Whether the unified text says of this side that its last line has no line break. */
function lacksNewline(diff: FileDiff, side: Side): boolean {
  const lines = diff.unified.split('\n');
  return lines.some((line, at) => {
    const before = lines[at - 1]?.charAt(0);
    return line === NO_NEWLINE && (before === ' ' || before === side.sign);
  });
}

/**
 * The text after a change, from the one before it. Both LF-normalised, as the diff was made.
 *
 * @returns null when the diff was cut or does not belong to this text
 */
export const applyDiff = (before: string, diff: FileDiff): string | null => applyTo(before, diff, OLD, NEW);

/** The text before a change, from the one after it; null as in {@link applyDiff}. */
export const undoDiff = (after: string, diff: FileDiff): string | null => applyTo(after, diff, NEW, OLD);
