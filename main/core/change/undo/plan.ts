import type { ChangeSet, UndoneFile } from '../../../../shared/model/change';
import { Fold, type Failure, type FoldPort } from './fold';
import { same, type Held } from './held';
import { pathsOf, type Step } from './steps';

/** What one path becomes. `movedFrom`: the path that its content comes from. */
export interface Transition {
  path: string;
  from: Held | null;
  to: Held | null;
  movedFrom: string | null;
}

export interface UndoPlan {
  transitions: Transition[];
  files: UndoneFile[];
  failures: Failure[];
  /** Sets of which every path came out: nothing of them is left to take back. */
  done: ChangeSet[];
  /** Folders that stay although they are empty. */
  folders: ReadonlySet<string>;
}

/** Works out what taking back some steps does, and does nothing. @param steps the last first */
export async function planUndo(steps: readonly Step[], port: FoldPort): Promise<UndoPlan> {
  const fold = new Fold(port);
  await fold.takeBack(steps);
  fold.settle();
  const paths = [...fold.after.keys()].sort();
  const transitions = paths.flatMap((path) => transitionOf(path, fold));
  const open = new Set(steps.filter((step) => isOpen(fold, step)).map(({ set }) => set.id));
  const sets = [...new Set(steps.map(({ set }) => set))];
  const meant = new Set(steps.flatMap(pathsOf));
  return {
    transitions: sourcesFirst(transitions),
    files: paths.flatMap((path) => outcomeOf(path, fold, meant)),
    failures: [...fold.failures].sort((a, b) => (a.path < b.path ? -1 : 1)),
    done: sets.filter(({ id }) => !open.has(id)),
    folders: new Set(paths.filter((path) => fold.after.get(path)?.held?.kind === 'folder')),
  };
}

const isOpen = (fold: Fold, step: Step): boolean =>
  pathsOf(step).some((path) => fold.failureOf(path)?.kind === 'conflict');

function transitionOf(path: string, fold: Fold): Transition[] {
  const place = fold.after.get(path);
  const from = fold.before.get(path) ?? null;
  if (place === undefined || same(from, place.held) || fold.failureOf(path) !== null) return [];
  // Where something else came to the source's place it is no plain move, but still where the content comes from.
  const isMoved = place.held !== null && place.from !== path && fold.before.get(place.from) !== null;
  return [{ path, from, to: place.held, movedFrom: isMoved ? place.from : null }];
}

/** In an entry the removal of a file that moved stands before the place it came to. */
const sourcesFirst = (transitions: readonly Transition[]): Transition[] => [
  ...transitions.filter(({ movedFrom }) => movedFrom === null),
  ...transitions.filter(({ movedFrom }) => movedFrom !== null),
];

function outcomeOf(path: string, fold: Fold, meant: ReadonlySet<string>): UndoneFile[] {
  const file = path;
  const failure = fold.failureOf(path);
  if (failure !== null) {
    if (failure.path === path) return [{ path: file, outcome: failure.kind, why: failure.why }];
    if (failure.kind === 'not_kept' || fold.before.get(path) === null) return [];
    return [{ path: file, outcome: 'conflict', why: `It belongs together with \`${failure.path}\`.` }];
  }
  const place = fold.after.get(path);
  const before = fold.before.get(path) ?? null;
  if (place === undefined || same(before, place.held)) {
    // A name that was only looked at on the way is nobody's.
    return meant.has(path) && !fold.isElsewhere(path) ? [{ path: file, outcome: 'unchanged', why: '' }] : [];
  }
  return [{ path: file, outcome: place.isExact ? 'restored' : 'merged', why: '' }];
}
