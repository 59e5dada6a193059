import { baseName, movedPath } from '../../lib/files/workspace-path';

interface Change {
  path: string;
  change: 'created' | 'changed' | 'removed';
}

/** `from` and `to` are what may have been renamed: the file itself or a folder above it. `path` is the file then. */
export interface MoveGuess {
  from: string;
  to: string;
  path: string;
}

/** Looking at more new files than this for one that went missing would cost more than it is worth. */
const MAX_GUESSES = 20;

/** What of the removed things holds an open file: itself or the nearest folder above it. */
export const removedRoot = (path: string, changes: readonly Change[]): string | null =>
  changes
    .filter(({ change }) => change === 'removed')
    .map(({ path: removed }) => removed)
    .filter((removed) => path === removed || path.startsWith(`${removed}/`))
    .sort((left, right) => right.length - left.length)[0] ?? null;

/** Where a file that went missing may be now, the likeliest first: under its own name, else beside what is new. */
export function moveGuesses(path: string, changes: readonly Change[]): MoveGuess[] {
  const from = removedRoot(path, changes) ?? path;
  const created = changes.filter(({ change }) => change === 'created').map((change) => change.path);
  const guesses = created.map((to) => ({ from, to, path: movedPath(path, from, to) ?? to }));
  const sameName = ({ path: other }: MoveGuess): boolean =>
    baseName(other).toLowerCase() === baseName(path).toLowerCase();
  return [...guesses.filter(sameName), ...guesses.filter((guess) => !sameName(guess))].slice(0, MAX_GUESSES);
}
