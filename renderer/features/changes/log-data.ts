import type { Client } from '../../../shared/contract/contract';
import type { ChangeSet } from '../../../shared/model/change';
import { SessionId } from '../../../shared/model/ids';
import { changeFeedOf } from '../../lib/review/change-feed';
import { createStore, type ReadableStore } from '../../lib/store';

const PAGE = 100;
/** The most that the host gives at once, so the most that is looked at again after a change. */
const MOST = 500;

export interface LogFilter {
  /** '' for all. */
  sessionId: string;
  /** '' for all. */
  path: string;
}

export interface LogState {
  readonly filter: LogFilter;
  /** Newest first; null until the first answer. */
  readonly entries: readonly ChangeSet[] | null;
  /** The oldest entry is among them. */
  readonly complete: boolean;
  readonly error: unknown;
}

export interface LogData {
  readonly state: ReadableStore<LogState>;
  setFilter(change: Partial<LogFilter>): void;
  /** Loads older entries; does nothing while that is under way or when there are none. */
  more(): void;
  retry(): void;
  /** Follows the log until the returned function is called. */
  connect(): () => void;
}

/** The entries that are known with those that were looked at again: newest first, each once, the fresh ones count. */
export function mergeEntries(known: readonly ChangeSet[], fresh: readonly ChangeSet[]): ChangeSet[] {
  const byId = new Map([...known, ...fresh].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort((left, right) => right.seq - left.seq);
}

type LogClient = Pick<Client, 'changes'>;

export function createLogData(client: LogClient): LogData {
  const state = createStore<LogState>({
    filter: { sessionId: '', path: '' },
    entries: null,
    complete: false,
    error: null,
  });
  let asked = 0;
  let loadingMore = false;

  const fetch = (
    { sessionId, path }: LogFilter,
    before: number | null,
    limit: number,
  ): Promise<ChangeSet[]> =>
    client.changes.log({
      sessionId: sessionId === '' ? null : SessionId.parse(sessionId),
      path: path === '' ? null : path,
      before,
      limit,
    });
  /** From the newest on; older ones that are loaded already stay. */
  const look = async (): Promise<void> => {
    asked += 1;
    const mine = asked;
    const { filter, entries } = state.get();
    const limit = Math.min(MOST, Math.max(PAGE, entries?.length ?? 0));
    try {
      const fresh = await fetch(filter, null, limit);
      if (mine !== asked) return;
      const complete = fresh.length < limit || state.get().complete;
      state.update((old) => ({
        ...old,
        entries: mergeEntries(old.entries ?? [], fresh),
        complete,
        error: null,
      }));
    } catch (error) {
      if (mine === asked) state.update((old) => ({ ...old, error }));
    }
  };
  const loadMore = async (): Promise<void> => {
    const { filter, entries, complete } = state.get();
    const oldest = entries?.at(-1);
    if (loadingMore || complete || !oldest) return;
    loadingMore = true;
    try {
      const older = await fetch(filter, oldest.seq, PAGE);
      if (state.get().filter !== filter) return;
      state.update((old) => ({
        ...old,
        entries: mergeEntries(old.entries ?? [], older),
        complete: older.length < PAGE,
      }));
    } catch (error) {
      state.update((old) => ({ ...old, error }));
    } finally {
      loadingMore = false;
    }
  };
  return {
    state,
    setFilter: (change) => {
      state.update((old) => ({
        filter: { ...old.filter, ...change },
        entries: null,
        complete: false,
        error: null,
      }));
      void look();
    },
    more: () => void loadMore(),
    retry: () => void look(),
    connect: () => {
      void look();
      return changeFeedOf(client).listen(() => void look());
    },
  };
}
