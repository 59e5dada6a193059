import { changesBetween } from '../../../shared/text/line-changes';
import { mergeTexts } from '../../../shared/text/merge-texts';

/** What was typed and what came to lie on the disk, in one text. */
export interface DiskMerge {
  text: string;
  /** Lines that the disk's side added, changed or removed. */
  lines: number;
}

const linesOf = (text: string): string[] => text.split('\n');

/**
 * Takes what changed on the disk since `base` into the typed text (LF). Null when both changed the same lines, so that
 * somebody has to choose (case-D11).
 */
export function mergeDisk(base: string, typed: string, disk: string): DiskMerge | null {
  const merge = mergeTexts(base, typed, disk, changesBetween);
  if (!merge.isClean) return null;
  const changes = changesBetween(linesOf(base), linesOf(disk));
  const lines = changes.reduce(
    (sum, [from, to, newFrom, newTo]) => sum + Math.max(to - from, newTo - newFrom),
    0,
  );
  return { text: merge.text, lines };
}
