import type { UndoFacts } from '../../../shared/model/turn-event';

const VERBS: Record<UndoFacts['cause'], string> = {
  undo: 'Undid',
  redo: 'Did again',
  restore: 'Took back',
  reject: 'Rejected',
  resolve: 'Resolved a conflict of',
};

const files = (count: number): string => `${count} file${count === 1 ? '' : 's'}`;

/** What an undo did, in one sentence. */
export function undoWords(undo: UndoFacts): string {
  const written = undo.files.filter(({ outcome }) => outcome === 'restored' || outcome === 'merged').length;
  const total = written + undo.more;
  const conflicts = undo.conflicts.length;
  const tail = conflicts === 0 ? '' : `, ${files(conflicts)} in conflict`;
  // The entry that a redo takes back says what was done to it.
  const what = undo.label.replace(/^(?:undid|took back|rejected) /i, '');
  if (total === 0 && conflicts > 0)
    return `Nothing of ${what} could be taken back: ${files(conflicts)} in conflict.`;
  return `${VERBS[undo.cause]} ${what}: ${files(total)} changed${tail}.`;
}
