import type { DiffHunk } from '../../../shared/model/diff';

export interface ShortHunk {
  /** The beginning of the hunk with its first changed lines and those around them; its counts are still the whole one's. */
  readonly hunk: DiffHunk;
  /** Changed lines that were left out. */
  readonly more: number;
}

/** Indices of the changed lines to keep: of both kinds where there are both. */
function firstChanged(hunk: DiffHunk, most: number): Set<number> {
  const of = (kind: string): number[] => [...hunk.lines.keys()].filter((at) => hunk.lines[at]?.kind === kind);
  const added = of('add');
  const removed = of('delete').slice(0, Math.max(Math.floor(most / 2), most - added.length));
  return new Set([...removed, ...added.slice(0, most - removed.length)]);
}

/** A hunk cut to at most so many changed lines: what a narrow list shows of it, however long it is. */
export function shortHunk(hunk: DiffHunk, most: number): ShortHunk {
  const changed = hunk.lines.filter(({ kind }) => kind !== 'context').length;
  if (changed <= most) return { hunk, more: 0 };
  const kept = firstChanged(hunk, most);
  const last = Math.max(...kept);
  const lines = hunk.lines.filter((line, at) => at <= last && (line.kind === 'context' || kept.has(at)));
  return { hunk: { ...hunk, lines }, more: changed - kept.size };
}
