import type { CallView } from '../../../shared/model/session-view';
import { formatCount } from '../../lib/format';

type Changed = NonNullable<CallView['changed']>;

/** "3 files changed", or what was done when that is all the same: "2 files deleted". */
export function effectWords({ files, more }: Pick<Changed, 'files' | 'more'>): string {
  const kinds = new Set(files.map(({ change }) => change));
  const [only] = kinds;
  const verbs = { create: 'created', modify: 'changed', delete: 'deleted', move: 'moved' } as const;
  const verb = kinds.size === 1 && more === 0 && only !== undefined ? verbs[only] : 'changed';
  return `${formatCount(files.length + more, 'file')} ${verb}`;
}

const LETTERS: Readonly<Record<Changed['files'][number]['change'], string>> = {
  create: 'A',
  modify: 'M',
  delete: 'D',
  move: 'R',
};

/** The letter that the explorer gives such a change. */
export const changeLetter = (change: Changed['files'][number]['change']): string => LETTERS[change];

/** Says which paths an undo will not reach. */
export function notCoveredWords(paths: readonly string[]): string {
  return `Not covered, so undo does not reach it: ${paths.join(', ')}`;
}
