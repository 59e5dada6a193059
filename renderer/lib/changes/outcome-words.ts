import type { UndoneFile, UndoResult } from '../../../shared/model/change';
import { formatCount } from '../format';

type Outcome = UndoneFile['outcome'];

export interface OutcomeSign {
  /** What became of the file, or will. */
  words: string;
  icon: string;
  tone: '' | 'ui-ok' | 'ui-warn' | 'ui-muted';
}

/** How a file came out, for people; `ahead`: of a preview. */
export function outcomeSign(outcome: Outcome, ahead = false): OutcomeSign {
  switch (outcome) {
    case 'restored':
      return { words: ahead ? 'goes back to what it was' : 'as it was before', icon: 'check', tone: 'ui-ok' };
    case 'merged':
      return {
        words: ahead ? 'goes back; later changes stay' : 'taken back; later changes stay',
        icon: 'git-merge',
        tone: 'ui-ok',
      };
    case 'unchanged':
      return { words: 'nothing left to take back', icon: 'dash', tone: 'ui-muted' };
    case 'conflict':
      return {
        words: ahead ? 'stays as it is for now' : 'left as it is',
        icon: 'warning',
        tone: 'ui-warn',
      };
    case 'not_kept':
      return { words: 'can’t be put back', icon: 'circle-slash', tone: 'ui-warn' };
  }
}

const isOf = (...outcomes: Outcome[]) => {
  const wanted = new Set<Outcome>(outcomes);
  return ({ outcome }: UndoneFile): boolean => wanted.has(outcome);
};

const isWritten = isOf('restored', 'merged');
const isDoubtful = isOf('conflict', 'not_kept');

/** Whether somebody should look before it is done: something stays as it is that was asked for. */
export const inDoubt = ({ files, cannot }: UndoResult): boolean =>
  files.some(isDoubtful) || cannot.length > 0;

/** True when an undo would write nothing and leave nothing open. */
export const isNothing = ({ files, conflicts }: UndoResult): boolean =>
  conflicts.length === 0 && !files.some((file) => isWritten(file) || isDoubtful(file));

/** Worst first, so that what needs a look is seen without scrolling. */
export function byConcern(files: readonly UndoneFile[]): UndoneFile[] {
  const order: readonly Outcome[] = ['conflict', 'not_kept', 'merged', 'restored', 'unchanged'];
  return [...files].sort((left, right) => order.indexOf(left.outcome) - order.indexOf(right.outcome));
}

/** "2 files taken back, 1 file in conflict" – of a result; '' when there is nothing to say. */
export function resultWords({ files }: Pick<UndoResult, 'files'>): string {
  const count = (test: (file: UndoneFile) => boolean): number => files.filter(test).length;
  const part = (n: number, words: string): string => (n === 0 ? '' : `${formatCount(n, 'file')} ${words}`);
  return [
    part(count(isWritten), 'changed'),
    part(count(isOf('conflict')), 'in conflict'),
    part(count(isOf('not_kept')), 'not put back'),
  ]
    .filter((words) => words !== '')
    .join(', ');
}
