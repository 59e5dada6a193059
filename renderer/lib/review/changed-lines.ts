import type { DiffHunk } from '../../../shared/model/diff';

export interface ChangedLines {
  /** Indices of the hunk's lines, in their order. */
  readonly shown: readonly number[];
  /** Changed lines that are not among them. */
  readonly more: number;
}

/** A hunk's removed and added lines without those around them: at most so many, and of both kinds where there are both. */
export function changedLines({ lines }: Pick<DiffHunk, 'lines'>, most: number): ChangedLines {
  const changed = [...lines.keys()].filter((at) => lines[at]?.kind !== 'context');
  if (changed.length <= most) return { shown: changed, more: 0 };
  const removed = changed.filter((at) => lines[at]?.kind === 'delete');
  const added = changed.filter((at) => lines[at]?.kind === 'add');
  const fewest = Math.max(Math.floor(most / 2), most - added.length);
  const kept = removed.slice(0, fewest);
  const shown = [...kept, ...added.slice(0, most - kept.length)].toSorted((left, right) => left - right);
  return { shown, more: changed.length - shown.length };
}
