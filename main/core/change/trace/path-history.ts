import type { ChangeSet, EntryState, PathChange } from '../../../../shared/model/change';
import type { ChangeStore } from '../types';
import type { FileVersion } from './line-history';

/** Moves that are followed back. */
const MAX_MOVES = 20;
/** Entries of one file that are followed back; lines from before them have no author. */
const MAX_STEPS = 400;

/** One change of a file on its way through the log, under the name it had then. */
export interface HistoryStep {
  path: string;
  set: ChangeSet;
  change: PathChange;
  /** What was there before; of a move what was at the place it was moved from. */
  before: EntryState | null;
  after: EntryState | null;
  isReviewed: boolean;
}

/** All changes of the file that is (or was last) at this path, oldest first, through its moves. */
export function pathHistory(
  store: Pick<ChangeStore, 'chain'>,
  projectId: string,
  path: string,
  beforeSeq = Number.MAX_SAFE_INTEGER,
  moves = MAX_MOVES,
): HistoryStep[] {
  const steps = store
    .chain(projectId, path)
    .filter(({ set }) => set.seq < beforeSeq)
    .map(({ set, change, isReviewed }) => ({
      ...{ path, set, change },
      isReviewed: isReviewed || (change.after ?? change.before)?.isIgnored === true,
      before: change.movedFrom === null ? change.before : movedState(set, change),
      after: change.after,
    }));
  const arrival = steps.findLastIndex(({ change }) => change.movedFrom !== null);
  const move = steps[arrival];
  if (move === undefined || move.change.movedFrom === null || moves === 0) return steps.slice(-MAX_STEPS);
  const earlier = pathHistory(store, projectId, move.change.movedFrom, move.set.seq, moves - 1);
  return [...earlier, ...steps.slice(arrival)].slice(-MAX_STEPS);
}

const movedState = (set: ChangeSet, { movedFrom, before }: PathChange): EntryState | null =>
  set.changes.find(({ path }) => path === movedFrom)?.before ?? before;

/** A content as {@link fileVersions} needs it. */
export interface StepVersion {
  state: EntryState | null;
  /** The step that made it; null for the first content, and where the log does not know who did. */
  step: HistoryStep | null;
}

/** The contents a file had, in order: equal ones next to each other are one, and what nobody noted stands between. */
export function stepVersions(steps: readonly HistoryStep[]): StepVersion[] {
  const versions: StepVersion[] = [];
  let hash: string | null | undefined;
  const push = (state: EntryState | null, step: HistoryStep | null): void => {
    versions.push({ state, step });
    hash = state?.hash ?? null;
  };
  for (const step of steps) {
    if ((step.before?.hash ?? null) !== hash) push(step.before, null);
    if ((step.after?.hash ?? null) !== hash) push(step.after, step);
  }
  return versions;
}

/** Index of the content from right before any of these entries; null when they are not among the steps. */
function indexBefore(versions: readonly StepVersion[], ids: readonly string[]): number | null {
  const at = versions.findIndex(({ step }) => step !== null && ids.includes(step.set.id));
  return at <= 0 ? null : at - 1;
}

/** @param textOf LF text of a content; undefined when it is not to be had */
export function fileVersions(
  versions: readonly StepVersion[],
  textOf: (state: EntryState) => string | undefined,
): FileVersion<HistoryStep>[] {
  return versions.map(({ state, step }) => {
    const undone = step?.set.author.kind === 'undo' ? step.set.author.undoes : [];
    const restored = undone.length === 0 ? null : indexBefore(versions, undone);
    return {
      text: state === null ? null : textOf(state),
      hash: state?.hash ?? null,
      author: step,
      ...(restored === null ? {} : { restores: [restored] }),
    };
  });
}
