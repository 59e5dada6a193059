import { ReviewFile, type ReviewHunk, type ReviewTexts, type TurnRef } from '../../../../shared/model/change';
import { splitLines } from '../../edit/line-changes';
import type { HistoryStep } from '../trace/path-history';
import type { TurnRefs } from '../trace/turn-refs';
import type { PendingFile, PendingLines } from './pending-file';
import { shownHunk, type PendingHunk } from './review-hunks';

/** Turns of these steps, each once, oldest first. */
export function turnsOf(steps: readonly HistoryStep[], refs: TurnRefs): TurnRef[] {
  const turns = new Map<string, TurnRef>();
  for (const { set } of [...steps].sort((a, b) => a.set.seq - b.set.seq)) {
    const turn = refs.of(set.author);
    if (turn !== null) turns.set(`${turn.sessionId} ${turn.turnId}`, turn);
  }
  return [...turns.values()].sort((a, b) => a.at - b.at);
}

/** @param hunks those of the file that are meant */
export function reviewFile(file: PendingFile, hunks: readonly PendingHunk[], refs: TurnRefs): ReviewFile {
  const sum = (count: (hunk: PendingHunk) => number): number =>
    hunks.reduce((all, hunk) => all + count(hunk), 0);
  const steps = hunks.length === 0 ? file.agents : hunks.flatMap(({ agents }) => agents);
  return ReviewFile.parse({
    path: file.path,
    movedFrom: file.movedFrom,
    change: changeOf(file),
    additions: sum(({ change: [, , start, end] }) => end - start),
    deletions: sum(({ change: [start, end] }) => end - start),
    hunkCount: hunks.length,
    turns: turnsOf(steps, refs),
    isOpaque: file.lines === null || file.isWhole,
    canReject: canReject(file),
  });
}

function changeOf({ base, present, movedFrom }: PendingFile): ReviewFile['change'] {
  if (present === null) return 'delete';
  if (base === null) return 'create';
  return movedFrom === null ? 'modify' : 'move';
}

/** Whether there is something to go back to. */
export const canReject = ({ base, present, lines }: PendingFile): boolean =>
  (present === null || present.bytes !== null) && (base === null || lines !== null || base.isKept);

export function reviewTexts(file: PendingFile, hunks: readonly PendingHunk[], refs: TurnRefs): ReviewTexts {
  const { lines, base, present } = file;
  return {
    file: reviewFile(file, hunks, refs),
    base: lines === null || base === null ? null : textOf(lines, lines.base),
    current: lines === null || present === null ? null : (lines.currentFile?.text ?? null),
    currentHash: present?.state.hash ?? null,
    hunks: lines === null ? [] : reviewHunks(file, lines, hunks, refs),
  };
}

/** The base as a text: its lines know whether a line break follows. */
function textOf({ history }: PendingLines, ids: readonly number[]): string {
  const lines = ids.map((id, at) => {
    const [text = '', mark] = history.keyOf(id).split('\n');
    return mark !== undefined && at === ids.length - 1 ? text : `${text}\n`;
  });
  return lines.join('');
}

function reviewHunks(
  file: PendingFile,
  lines: PendingLines,
  wanted: readonly PendingHunk[],
  refs: TurnRefs,
): ReviewHunk[] {
  const base = splitLines(textOf(lines, lines.base)).lines;
  const current = splitLines(lines.currentFile?.text ?? '').lines;
  const { hunks } = file;
  return hunks.flatMap((hunk, at) => {
    if (!wanted.includes(hunk)) return [];
    const [previousEnd, nextStart] = [hunks[at - 1]?.change[1] ?? 0, hunks[at + 1]?.change[0] ?? base.length];
    const { id, isMixed, agents, change } = hunk;
    return {
      id,
      isMixed,
      turns: turnsOf(agents, refs),
      hunk: shownHunk(base, current, change, previousEnd, nextStart),
    };
  });
}
