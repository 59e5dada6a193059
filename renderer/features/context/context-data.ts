import type { Client } from '../../../shared/contract/contract';
import type { ContextAction, NextContext } from '../../../shared/contract/context';
import type { SessionId } from '../../../shared/model/ids';
import type { SessionView } from '../../../shared/model/session-view';
import { sessionStoreOf } from '../../lib/session-store';
import { createStore, type ReadableStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';

export interface ContextState {
  readonly next: NextContext | null;
  readonly error: unknown;
  /** List also what a summary stands for. */
  readonly summarised: boolean;
}

export interface ContextData {
  readonly state: ReadableStore<ContextState>;
  setSummarised(value: boolean): void;
  mark(itemId: string, action: ContextAction): Promise<void>;
  undo(compactionId: string): Promise<void>;
  refresh(): void;
  /** Starts following the session; the returned function ends it. */
  connect(): () => void;
}

/** A turn that runs brings several changes at once: one look for all of them. */
const REFRESH_MS = 250;

/** What of a session's view the next request hangs on; text that streams does not count. */
const trace = ({ items, live, contextTokens, olderItems }: SessionView): string =>
  [items.length + olderItems, items.at(-1)?.key ?? '', live?.step ?? '', contextTokens ?? ''].join(' ');

/** The next request of one session, looked at again whenever something changes it. */
export function createContextData(client: Client, sessionId: SessionId): ContextData {
  const state = createStore<ContextState>({ next: null, error: null, summarised: false });
  let timer: ReturnType<typeof setTimeout> | null = null;
  let asked = 0;
  const look = async (): Promise<void> => {
    asked += 1;
    const mine = asked;
    try {
      const next = await client.context.next({ sessionId, summarised: state.get().summarised });
      if (mine === asked) state.update((old) => ({ ...old, next, error: null }));
    } catch (error) {
      if (mine === asked) state.update((old) => ({ ...old, error }));
    }
  };
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void look();
    }, REFRESH_MS);
  };
  return {
    state,
    refresh: () => void look(),
    setSummarised: (summarised) => {
      state.update((old) => ({ ...old, summarised }));
      void look();
    },
    mark: async (itemId, action) => {
      try {
        await client.context.mark({ sessionId, itemId, action });
        await look();
      } catch (error) {
        toastError(error);
      }
    },
    undo: async (compactionId) => {
      try {
        await client.context.undoCompaction({ sessionId, compactionId });
        await look();
      } catch (error) {
        toastError(error, 'The summary was not undone');
      }
    },
    connect: () => {
      const sessions = sessionStoreOf(client);
      const session = sessions.open(sessionId);
      const release = sessions.retain(sessionId);
      let known = trace(session.state.get().view);
      const stopView = session.state.subscribe(() => {
        const now = trace(session.state.get().view);
        if (now === known) return;
        known = now;
        soon();
      });
      const stopChanges = client.context.changed.subscribe(null, (change) => {
        if (change.sessionId === sessionId) soon();
      });
      void look();
      return () => {
        stopView();
        stopChanges();
        release();
        if (timer) clearTimeout(timer);
      };
    },
  };
}
