import type { UndoResult } from '../../../shared/model/change';
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

/** What taking a rejection back did. */
export function undoWords({ setId, conflicts, files }: UndoResult): string {
  if (conflicts.length > 0)
    return `The reject was not undone: ${files[0]?.why || 'the lines changed since'}.`;
  return setId === null ? 'There was nothing to undo.' : 'The reject was undone.';
}
