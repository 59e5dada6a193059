import type { LineEdit } from './line-edits';
import { quickChanges, type LineChange } from './quick-changes';

/** What was typed and what came to lie on the disk, in one text. */
export interface DiskMerge {
  text: string;
  /** What makes the merged text out of the typed one: the disk's changes and nothing else. */
  edits: LineEdit[];
  /** Lines that the disk's side added, changed or removed. */
  lines: number;
}

/** Larger texts are asked about instead: comparing them would be felt while typing. */
const MAX_MERGED_CHARS = 4 * 1024 * 1024;

const linesOf = (text: string): string[] => text.split('\n');

/**
 * Takes what changed on the disk since `base` into the typed text (LF). Null when both changed the same or neighbouring
 * lines: who types there has to see what somebody else made of the place (case-D11, case-D01).
 */
export function mergeDisk(base: string, typed: string, disk: string): DiskMerge | null {
  if (Math.max(base.length, typed.length, disk.length) > MAX_MERGED_CHARS) return null;
  const [before, ours, theirs] = [linesOf(base), linesOf(typed), linesOf(disk)];
  const [mine, other] = [quickChanges(before, ours), quickChanges(before, theirs)];
  const isMadeByBoth = (b: LineChange): boolean => mine.some((a) => isSame(a, b, ours, theirs));
  const wanted = other.filter((b) => !isMadeByBoth(b));
  if (wanted.some((b) => mine.some((a) => touches(a, b)))) return null;
  const edits = wanted.map(([from, to, newFrom, newTo]) => {
    const shift = shiftAt(from, mine);
    return { start: from + shift + 1, end: to + shift + 1, lines: theirs.slice(newFrom, newTo) };
  });
  const lines = other.reduce(
    (sum, [from, to, newFrom, newTo]) => sum + Math.max(to - from, newTo - newFrom),
    0,
  );
  return { text: applied(ours, edits), edits, lines };
}

/** No line that both left alone lies between two changes. */
const touches = ([start, end]: LineChange, [otherStart, otherEnd]: LineChange): boolean =>
  start <= otherEnd && otherStart <= end;

const isSame = (a: LineChange, b: LineChange, ours: readonly string[], theirs: readonly string[]): boolean =>
  a[0] === b[0] &&
  a[1] === b[1] &&
  a[3] - a[2] === b[3] - b[2] &&
  ours.slice(a[2], a[3]).join('\n') === theirs.slice(b[2], b[3]).join('\n');

/** How many lines further down a line of the base is after the changes above it. */
function shiftAt(line: number, changes: readonly LineChange[]): number {
  const above = changes.findLast(([, end]) => end <= line);
  return above === undefined ? 0 : above[3] - above[1];
}

function applied(lines: readonly string[], edits: readonly LineEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, lines: inserted } of edits) {
    for (const line of lines.slice(at, start - 1)) parts.push(line);
    for (const line of inserted) parts.push(line);
    at = end - 1;
  }
  return parts.concat(lines.slice(at)).join('\n');
}
