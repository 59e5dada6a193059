import { createHash } from 'node:crypto';
import type { DiffHunk, DiffLine } from '../../../../shared/model/diff';
import { DIFF_CONTEXT_LINES } from '../../edit/diff';
import { changesBetween, type Change } from '../../edit/line-changes';
import type { HistoryStep } from '../trace/path-history';
import type { LineHistory } from '../trace/line-history';
import type { Standing } from './standing';

/** One stretch of changed lines: base lines [0, 1) became current lines [2, 3), 0-based. */
export interface PendingHunk {
  id: string;
  change: Change;
  /** The steps of agents whose lines are in it; all that wait, where it is not known. */
  agents: HistoryStep[];
  isMixed: boolean;
}

interface Wrote {
  agents: Set<HistoryStep>;
  isMixed: boolean;
  isUnknown: boolean;
}

/** Finds the hunks between the base and the current lines, with who has a part in each. */
export function findHunks(
  history: LineHistory<HistoryStep>,
  base: readonly number[],
  current: ArrayLike<number>,
  standing: Standing,
): { change: Change; wrote: Wrote }[] {
  const changes = changesBetween(history.textNumbers(base), history.textNumbers(current));
  const alive = new Set(Array.from(current));
  const lines = { history, base, current, alive, standing };
  return changes.map((change) => ({ change, wrote: whoWrote(lines, change) }));
}

interface Compared {
  history: LineHistory<HistoryStep>;
  base: readonly number[];
  current: ArrayLike<number>;
  /** Numbers of the current lines. */
  alive: ReadonlySet<number>;
  standing: Standing;
}

function whoWrote(
  { history, base, current, alive, standing }: Compared,
  [oldStart, oldEnd, newStart, newEnd]: Change,
): Wrote {
  const wrote: Wrote = { agents: new Set(), isMixed: false, isUnknown: false };
  const note = (version: number | undefined, step: HistoryStep | null): void => {
    // Version 0 is what was there from the start: its lines are nobody's change.
    if (version === undefined || version === 0) return;
    if (version < 0) wrote.isUnknown = true;
    else if (step !== null && standing.waits(step))
      for (const each of standing.agentsOf(step)) wrote.agents.add(each);
    else if (step === null || ['user', 'outside'].includes(step.set.author.kind)) wrote.isMixed = true;
  };
  for (let line = newStart; line < newEnd; line += 1) {
    const id = current[line] as number;
    note(history.birthOf(id), history.writerOf(id));
  }
  for (let line = oldStart; line < oldEnd; line += 1) {
    const id = base[line] as number;
    if (!alive.has(id)) note(history.deathOf(id), history.removerOf(id));
  }
  return wrote;
}

/** A hunk's name: the same as long as its lines are the same, counted among equal ones of its file. */
export class HunkIds {
  private readonly seen = new Map<string, number>();

  next(oldLines: readonly string[], newLines: readonly string[]): string {
    const hash = createHash('sha256')
      .update(JSON.stringify([oldLines, newLines]))
      .digest('hex')
      .slice(0, 24);
    const count = this.seen.get(hash) ?? 0;
    this.seen.set(hash, count + 1);
    return `${hash}-${count}`;
  }
}

/** The hunk as windows show it, with the unchanged lines round it as far as the next hunk. */
export function shownHunk(
  base: readonly string[],
  current: readonly string[],
  [oldStart, oldEnd, newStart, newEnd]: Change,
  previousEnd: number,
  nextStart: number,
): DiffHunk {
  const lead = Math.min(DIFF_CONTEXT_LINES, oldStart - previousEnd);
  const tail = Math.min(DIFF_CONTEXT_LINES, nextStart - oldEnd);
  const lines: DiffLine[] = [];
  const context = (oldAt: number, newAt: number): void =>
    void lines.push({ kind: 'context', text: base[oldAt] ?? '', oldLine: oldAt + 1, newLine: newAt + 1 });
  for (let at = lead; at > 0; at -= 1) context(oldStart - at, newStart - at);
  for (let at = oldStart; at < oldEnd; at += 1)
    lines.push({ kind: 'delete', text: base[at] ?? '', oldLine: at + 1 });
  for (let at = newStart; at < newEnd; at += 1)
    lines.push({ kind: 'add', text: current[at] ?? '', newLine: at + 1 });
  for (let at = 0; at < tail; at += 1) context(oldEnd + at, newEnd + at);
  const [oldLines, newLines] = [oldEnd - oldStart + lead + tail, newEnd - newStart + lead + tail];
  return {
    // The unified format counts from 1, and names the line before an empty range.
    oldStart: oldStart - lead + (oldLines === 0 ? 0 : 1),
    oldLines,
    newStart: newStart - lead + (newLines === 0 ? 0 : 1),
    newLines,
    lines,
  };
}
