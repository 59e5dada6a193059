import type { ReviewFilter } from '../../../shared/contract/changes';
import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import type { ReviewFile } from '../../../shared/model/change';
import type { WorkspacePath } from '../../../shared/model/ids';
import { changeFeedOf, type ChangedPaths } from './change-feed';
import { decide, type Decision, type Outcome, type Verdict } from './decide';
import { createStore, type ReadableStore } from '../store';
import { createTextLoader } from './text-loader';
import { changesLeft, emptyReview, stopKey, withFiles, type ReviewState } from './review-state';
import { decisionWords, undoneWords } from './spoken-words';

/** What is decided on: everything, a file, or one hunk of it. */
export interface Target {
  readonly path: WorkspacePath | null;
  readonly hunkId: string | null;
}

export interface ReviewData {
  readonly state: ReadableStore<ReviewState>;
  setFilter(filter: ReviewFilter): void;
  refresh(): void;
  /** Files that come on screen are loaded before others; where only these are read, they are from now on. */
  want(paths: readonly string[]): void;
  decide(verdict: Verdict, target: Target): Promise<void>;
  /** Takes the newest decision back. @returns what came back, in words; null when there was nothing or it failed */
  undoDecision(): Promise<string | null>;
  /** Puts a file's note away, or (null) the message over all. */
  dismiss(path: string | null): void;
  /** Starts following the host; the returned function ends it. */
  connect(): () => void;
}

type ReviewClient = Pick<Client, 'changes'>;

/** The pending changes of the open project under a filter, read wholly or as far as asked for, and decisions about them. */
export function createReviewData(
  client: ReviewClient,
  filter: ReviewFilter,
  which: 'all' | 'wanted' = 'all',
): ReviewData {
  const state = createStore<ReviewState>(emptyReview(filter));
  const loader = createTextLoader(client, state, which);
  let asked = 0;

  const look = async (changed: ChangedPaths): Promise<void> => {
    asked += 1;
    const mine = asked;
    try {
      const [files, last] = await Promise.all([
        client.changes.pending(state.get().filter),
        client.changes.lastDecision(null),
      ]);
      if (mine !== asked) return;
      const known = new Map<string, ReviewFile>(state.get().files.map((file) => [file.path, file]));
      state.update((now) => ({ ...withFiles(now, files), last }));
      // Also what differs in the list was changed, whatever the news said.
      const stale = state
        .get()
        .files.filter((file) => known.get(file.path) !== file)
        .map(({ path }) => path);
      loader.outdated(changed === null ? null : new Set<string>([...changed, ...stale]));
    } catch (error) {
      if (mine === asked) state.update((now) => ({ ...now, error }));
    }
  };

  return {
    state,
    refresh: () => void look(null),
    want: loader.want,
    dismiss: (path) =>
      state.update((now) =>
        path === null ? { ...now, failure: null } : { ...now, notes: without(now.notes, path) },
      ),
    setFilter: (next) => {
      state.update((now) => ({ ...emptyReview(next), last: now.last }));
      loader.forget();
      void look(null);
    },
    ...createDecisions(client, state, async (path) => {
      await look(path === null ? null : new Set([path]));
      if (path !== null) await loader.settled(path);
    }),
    connect: () => {
      const stop = changeFeedOf(client).listen((paths) => void look(paths));
      void look(null);
      return () => {
        stop();
        loader.forget();
        asked += 1;
      };
    },
  };
}

function without(notes: ReadonlyMap<string, string>, path: string): ReadonlyMap<string, string> {
  const next = new Map(notes);
  next.delete(path);
  return next;
}

type StateStore = ReturnType<typeof createStore<ReviewState>>;

/** The stops that a decision takes off the page. */
export function goneStops({ files, texts }: ReviewState, { path, hunkId }: Target): ReadonlySet<string> {
  if (path !== null && hunkId !== null) return new Set([stopKey(path, hunkId)]);
  return new Set(
    files
      .filter((file) => path === null || file.path === path)
      .flatMap((file) => {
        const known = texts.get(file.path);
        const hunks = known?.kind === 'ready' ? known.texts.hunks : [];
        return [stopKey(file.path, null), ...hunks.map(({ id }) => stopKey(file.path, id))];
      }),
  );
}

function createDecisions(
  client: ReviewClient,
  state: StateStore,
  look: (path: string | null) => Promise<void>,
) {
  /** One decision after the other: the next one is about what the one before left. */
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = before.then(work, work);
    before = mine.catch(() => undefined);
    return mine;
  };
  const settle = (gone: ReadonlySet<string>, part: (now: ReviewState) => Partial<ReviewState>): void =>
    state.update((now) => {
      const decided = new Set([...now.decided].filter((key) => !gone.has(key)));
      return { ...now, decided, ...part(now) };
    });
  const noted = (now: ReviewState, { problems }: Outcome): Partial<ReviewState> => ({
    notes: new Map([...now.notes, ...problems.map(({ path, text }) => [path, text] as const)]),
  });

  const run = async (verdict: Verdict, target: Target, gone: ReadonlySet<string>): Promise<void> => {
    const { filter, texts } = state.get();
    const { path, hunkId } = target;
    const known = path === null ? undefined : texts.get(path);
    const decision: Decision = {
      ...{ verdict, path, filter, hunkIds: hunkId === null ? null : [hunkId] },
      ...(known?.kind === 'ready' ? { currentHash: known.texts.currentHash } : {}),
    };
    try {
      const outcome = await decide(client, decision);
      // The list without the decided hunk comes first: it must not flash up once more.
      await look(path);
      settle(gone, (now) => noted(now, outcome));
      const [problem] = outcome.problems;
      if (problem) state.update((now) => ({ ...now, spoken: `Not done. ${problem.path}: ${problem.text}` }));
    } catch (error) {
      settle(gone, () => ({ failure: error, spoken: toErrorShape(error).message }));
    }
  };

  return {
    decide: (verdict: Verdict, target: Target): Promise<void> => {
      const gone = goneStops(state.get(), target);
      state.update((now) => {
        const next = { ...now, decided: new Set([...now.decided, ...gone]) };
        return { ...next, spoken: decisionWords(verdict, target, changesLeft(next)) };
      });
      return inTurn(() => run(verdict, target, gone));
    },
    undoDecision: (): Promise<string | null> =>
      inTurn(async () => {
        const say = (spoken: string): void => state.update((now) => ({ ...now, spoken }));
        try {
          // Asked for anew: a decision that was on its way is known to the host, but not yet here.
          const last = await client.changes.lastDecision(null);
          if (last === null) {
            say('There is no decision to undo.');
            return null;
          }
          const undone = await client.changes.undoDecision({ id: last.id });
          await look(null);
          const words = undoneWords(undone);
          say(words);
          return words;
        } catch (error) {
          state.update((now) => ({ ...now, failure: error, spoken: toErrorShape(error).message }));
          return null;
        }
      }),
  };
}
