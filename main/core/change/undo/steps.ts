import type { ChangeSet, EntryState, PathChange } from '../../../../shared/model/change';

/** One thing that a set did: a path changed, or (`source`) a file was moved to it. */
export interface Step {
  set: ChangeSet;
  change: PathChange;
  /** Of a move: what happened where the file came from. */
  source: PathChange | null;
}

/** What the sets did, the last first: the order in which it is taken back. @param sets newest first */
export const stepsOf = (sets: readonly ChangeSet[]): Step[] => sets.flatMap((set) => stepsOfSet(set));

function stepsOfSet(set: ChangeSet): Step[] {
  const moved = new Set<PathChange>();
  const steps: Step[] = [];
  for (const change of [...set.changes].reverse()) {
    if (moved.has(change)) continue;
    const isMove = change.movedFrom !== null;
    const source = isMove ? set.changes.find((other) => isSource(other, change) && !moved.has(other)) : null;
    if (source) moved.add(source);
    steps.push({ set, change, source: source ?? null });
  }
  // A removal that a move explains may stand behind the move.
  return steps.filter(({ change, source }) => source !== null || !moved.has(change));
}

const isSource = (source: PathChange, { movedFrom, path, after }: PathChange): boolean =>
  movedFrom !== null &&
  source.path === movedFrom &&
  source.path !== path &&
  source.after === null &&
  source.before !== null &&
  after !== null;

export const pathsOf = ({ change, source }: Step): string[] => [
  change.path,
  ...(source === null ? [] : [source.path]),
];

/** Only what happened to this path, and to the paths that it was moved from or to. */
export function stepsAbout(steps: readonly Step[], path: string): Step[] {
  const wanted = new Set([path]);
  for (let size = 0; size < wanted.size;) {
    size = wanted.size;
    for (const step of steps) {
      const paths = pathsOf(step);
      if (paths.some((each) => wanted.has(each))) for (const each of paths) wanted.add(each);
    }
  }
  return steps.filter((step) => pathsOf(step).some((each) => wanted.has(each)));
}

/**
 * Pairs of paths of one entry between which a content went, whether as a plain move or not (files that changed places). One
 * of them taken back without the other would leave the content nowhere.
 */
export function contentFlows(steps: readonly Step[]): [string, string][] {
  const flows: [string, string][] = [];
  for (const set of new Set(steps.map((step) => step.set))) {
    const left = new Map(
      set.changes.flatMap(({ path, before }) => (isSome(before) ? [[before.hash, path]] : [])),
    );
    for (const { path, movedFrom, after } of set.changes) {
      if (movedFrom !== null) flows.push([path, movedFrom]);
      const source = isSome(after) ? left.get(after.hash) : undefined;
      if (source !== undefined && source !== path) flows.push([path, source]);
    }
  }
  const meant = new Set(steps.flatMap(pathsOf));
  return flows.filter((flow) => flow.every((path) => meant.has(path)));
}

/** A file with something in it. */
const isSome = (state: EntryState | null): state is EntryState =>
  state?.kind === 'file' && state.sizeBytes > 0;
