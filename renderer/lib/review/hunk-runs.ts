import type { DiffHunk } from '../../../shared/model/diff';

/** Lines next to each other that a hunk changes, as they lie in the new text. */
export interface HunkRun {
  readonly kind: 'add' | 'change' | 'delete';
  /** 1-based first line in the new text; where only lines went, the line that follows them. */
  readonly start: number;
  /** Lines in the new text; 0 where only lines went. */
  readonly lines: number;
  /** What stood there before. */
  readonly removed: readonly string[];
}

const kindOf = (added: number, removed: number): HunkRun['kind'] => {
  if (removed === 0) return 'add';
  return added === 0 ? 'delete' : 'change';
};

/** A hunk's changed parts in their order. */
export function hunkRuns({ newStart, newLines, lines }: DiffHunk): HunkRun[] {
  const runs: HunkRun[] = [];
  // A hunk without new lines names the line before it.
  let next = newLines === 0 ? newStart + 1 : newStart;
  let at = 0;
  while (at < lines.length) {
    if (lines[at]?.kind === 'context') {
      next += 1;
      at += 1;
      continue;
    }
    const from = at;
    while (at < lines.length && lines[at]?.kind !== 'context') at += 1;
    const part = lines.slice(from, at);
    const removed = part.filter(({ kind }) => kind === 'delete').map(({ text }) => text);
    const added = part.length - removed.length;
    runs.push({ kind: kindOf(added, removed.length), start: next, lines: added, removed });
    next += added;
  }
  return runs;
}

/** The 1-based line in the new text where a hunk's first change is. */
export const firstLine = (hunk: DiffHunk): number => hunkRuns(hunk)[0]?.start ?? hunk.newStart;

/** `line 12`, `lines 12–18`, or `after line 11` where only lines went. */
export function lineWords(hunk: DiffHunk): string {
  const runs = hunkRuns(hunk);
  const first = runs[0];
  const last = runs.at(-1);
  if (!first || !last) return `line ${hunk.newStart}`;
  const end = last.start + Math.max(0, last.lines - 1);
  if (runs.every(({ lines }) => lines === 0))
    return first.start > 1 ? `after line ${first.start - 1}` : 'at the top';
  return end > first.start ? `lines ${first.start}–${end}` : `line ${first.start}`;
}
