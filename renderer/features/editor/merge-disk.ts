import { changesBetween, type Change } from '../../../shared/text/line-changes';
import { mergeTexts } from '../../../shared/text/merge-texts';

/** What was typed and what came to lie on the disk, in one text. */
export interface DiskMerge {
  text: string;
  /** Lines that the disk's side added, changed or removed. */
  lines: number;
}

const linesOf = (text: string): string[] => text.split('\n');

/**
 * Takes what changed on the disk since `base` into the typed text (LF). Null when both changed the same or neighbouring
 * lines: who types there has to see what somebody else made of the place (case-D11, case-D01).
 */
export function mergeDisk(base: string, typed: string, disk: string): DiskMerge | null {
  const [before, ours, theirs] = [linesOf(base), linesOf(typed), linesOf(disk)];
  const [mine, other] = [changesBetween(before, ours), changesBetween(before, theirs)];
  const meets = mine.some((a) => other.some((b) => touches(a, b) && !isSame(a, b, ours, theirs)));
  if (meets) return null;
  const merge = mergeTexts(base, typed, disk, changesBetween);
  if (!merge.isClean) return null;
  const lines = other.reduce(
    (sum, [from, to, newFrom, newTo]) => sum + Math.max(to - from, newTo - newFrom),
    0,
  );
  return { text: merge.text, lines };
}

/** No line that both left alone lies between two changes. */
const touches = ([start, end]: Change, [otherStart, otherEnd]: Change): boolean =>
  start <= otherEnd && otherStart <= end;

const isSame = (a: Change, b: Change, ours: readonly string[], theirs: readonly string[]): boolean =>
  a[0] === b[0] && a[1] === b[1] && ours.slice(a[2], a[3]).join('\n') === theirs.slice(b[2], b[3]).join('\n');
