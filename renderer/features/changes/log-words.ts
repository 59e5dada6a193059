import type { ChangeSet, PathChange } from '../../../shared/model/change';
import { formatCount } from '../../lib/format';

type Author = ChangeSet['author'];

export interface AuthorSign {
  icon: string;
  words: string;
  tone: 'ui-agent' | 'ui-accent' | 'ui-muted';
}

const CAUSES = {
  undo: 'Undo',
  redo: 'Redo',
  restore: 'Restore',
  reject: 'Rejected in review',
  resolve: 'Resolved conflict',
} as const;

/** Who made an entry: a sign and words. Copper is the agent, blue is the user. */
export function authorSign(author: Author): AuthorSign {
  switch (author.kind) {
    case 'agent':
      return { icon: 'lathe', words: 'Agent', tone: 'ui-agent' };
    case 'command':
      return { icon: 'terminal', words: 'Agent’s command', tone: 'ui-agent' };
    case 'user':
      return { icon: 'person', words: 'You', tone: 'ui-accent' };
    case 'outside':
      return { icon: 'plug', words: 'Another program', tone: 'ui-muted' };
    case 'undo':
      return {
        icon: author.cause === 'redo' ? 'redo' : 'discard',
        words: CAUSES[author.cause],
        tone: 'ui-accent',
      };
  }
}

export type PathLetter = 'A' | 'M' | 'D' | 'R';

/** How a path changed, as the explorer says it. */
export function pathLetter({ before, after, movedFrom }: PathChange): PathLetter {
  if (movedFrom !== null) return 'R';
  if (before === null) return 'A';
  return after === null ? 'D' : 'M';
}

export const LETTER_WORDS: Readonly<Record<PathLetter, string>> = {
  A: 'new',
  M: 'changed',
  D: 'deleted',
  R: 'moved',
};

/** Whether both sides can be shown as text; whether they are text only their content tells. */
export const canCompare = ({ before, after }: PathChange): boolean =>
  [before, after].every((side) => side === null || (side.kind === 'file' && side.isKept)) &&
  (before !== null || after !== null);

/** What is done about an entry: taken back, or, where it took something back itself, done again. */
export function entryAction({ author, undoneBy }: ChangeSet): 'undo' | 'redo' | null {
  if (undoneBy !== null) return author.kind === 'undo' && author.cause !== 'redo' ? null : 'redo';
  return author.kind === 'undo' && author.cause !== 'redo' ? 'redo' : 'undo';
}

/** "a.ts", "3 files"; '' where the label says it. */
export function pathsWords({ changes, label }: ChangeSet): string {
  const [only] = changes;
  if (changes.length === 1 && only) return label.includes(only.path) ? '' : only.path;
  return formatCount(changes.length, 'file');
}
