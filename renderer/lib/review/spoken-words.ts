import type { DecisionFacts, DecisionUndo, UndoResult } from '../../../shared/model/change';
import { formatCount } from '../format';
import { baseName } from '../files/workspace-path';
import type { Verdict } from './decide';

interface Target {
  readonly path: string | null;
  readonly hunkId: string | null;
}

const DONE = { accept: 'Accepted', reject: 'Rejected' } as const;

/** `Accepted. 4 changes left.` */
export function decisionWords(verdict: Verdict, { path, hunkId }: Target, left: number): string {
  const what = path === null ? ' all' : hunkId === null ? ` ${baseName(path)}` : '';
  const rest = left === 0 ? 'Nothing is left to review.' : `${formatCount(left, 'change')} left.`;
  return `${DONE[verdict]}${what}. ${rest}`;
}

/** `accept of list.js`: what taking back would take back. */
export const decisionName = ({ verdict, path, files }: DecisionFacts): string =>
  `${verdict} of ${path === null ? formatCount(files, 'file') : baseName(path)}`;

const inFiles = (paths: readonly string[]): string =>
  paths.length === 1 ? baseName(paths[0] as string) : formatCount(paths.length, 'file');

/** What taking a decision back brought back. */
export function undoneWords({ decision, result, waits, changes, left }: DecisionUndo): string {
  if (result !== null) return rejectUndoneWords(decision, result);
  const stays = left.length === 0 ? '' : ` ${inFiles(left)} stayed as decided since.`;
  if (changes <= 0) return `The accept was undone. Nothing of it waits any more.${stays}`;
  const verb = changes === 1 ? 'waits' : 'wait';
  return `The accept was undone: ${formatCount(changes, 'change')} in ${inFiles(waits)} ${verb} again.${stays}`;
}

function rejectUndoneWords(decision: DecisionFacts, { setId, conflicts, files }: UndoResult): string {
  if (conflicts.length > 0)
    return `The reject was not undone: ${files[0]?.why || 'the lines changed since'}.`;
  if (setId === null) return 'There was nothing to undo.';
  const where = decision.path === null ? formatCount(decision.files, 'file') : baseName(decision.path);
  return `The reject was undone: the agent’s lines are back in ${where}.`;
}
