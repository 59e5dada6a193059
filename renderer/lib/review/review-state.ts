import type { ReviewFilter } from '../../../shared/contract/changes';
import type { ErrorShape } from '../../../shared/error';
import type { DecisionFacts, ReviewFile, ReviewTexts } from '../../../shared/model/change';
import { changesOf } from './review-words';

/** What is known of one file's hunks; `ready` stays on screen while it is looked at again. */
export type FileTexts =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly texts: ReviewTexts }
  | { readonly kind: 'failed'; readonly error: ErrorShape };

export interface ReviewState {
  readonly filter: ReviewFilter;
  /** False until the host answered for this filter. */
  readonly ready: boolean;
  /** Why the list could not be had. */
  readonly error: unknown;
  /** What a decision failed with. */
  readonly failure: unknown;
  readonly files: readonly ReviewFile[];
  readonly texts: ReadonlyMap<string, FileTexts>;
  /** Stops whose decision is on its way: they are off the screen already. */
  readonly decided: ReadonlySet<string>;
  /** What the user should know of a file: a decision that was refused. */
  readonly notes: ReadonlyMap<string, string>;
  /** The newest decision that can be taken back, whichever window made it. */
  readonly last: DecisionFacts | null;
  /** The last thing to be announced. */
  readonly spoken: string;
}

export const emptyReview = (filter: ReviewFilter): ReviewState => ({
  ...{
    filter,
    ready: false,
    error: null,
    failure: null,
    files: [],
    texts: new Map(),
    decided: new Set(),
    notes: new Map(),
  },
  ...{ last: null, spoken: '' },
});

/** Names what is decided on: a hunk, or a file as a whole. */
export const stopKey = (path: string, hunkId: string | null): string =>
  hunkId === null ? `${path}\0` : `${path}\0${hunkId}`;

/** Changes that still wait, without those whose decision is on its way. */
export function changesLeft({ files, decided, texts }: ReviewState): number {
  return files.reduce((sum, file) => {
    if (decided.has(stopKey(file.path, null))) return sum;
    const known = texts.get(file.path);
    const hunks = known?.kind === 'ready' ? known.texts.hunks : [];
    // The list may be a look ahead of the hunks: what is decided is counted off the hunks it was one of.
    if (hunks.length === 0) return sum + changesOf(file);
    return sum + hunks.filter(({ id }) => !decided.has(stopKey(file.path, id))).length;
  }, 0);
}

const sameTurns = (left: ReviewFile, right: ReviewFile): boolean =>
  left.turns.length === right.turns.length &&
  left.turns.every((turn, at) => turn.turnId === right.turns[at]?.turnId);

function sameFile(left: ReviewFile, right: ReviewFile): boolean {
  const { turns: _left, ...before } = left;
  const { turns: _right, ...after } = right;
  return (
    sameTurns(left, right) &&
    Object.entries(before).every(([key, value]) => after[key as keyof typeof after] === value)
  );
}

/** A new list in which files that stayed the same keep their identity. */
export function withFiles(state: ReviewState, files: readonly ReviewFile[]): ReviewState {
  const known = new Map(state.files.map((file) => [file.path, file]));
  const next = files.map((file) => {
    const before = known.get(file.path);
    return before && sameFile(before, file) ? before : file;
  });
  const paths = new Set<string>(files.map(({ path }) => path));
  const stays = <V>(map: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
    [...map.keys()].every((path) => paths.has(path))
      ? map
      : new Map([...map].filter(([path]) => paths.has(path)));
  const { texts, notes } = state;
  return { ...state, ready: true, error: null, files: next, texts: stays(texts), notes: stays(notes) };
}
