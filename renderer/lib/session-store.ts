import type { Client } from '../../shared/contract/contract';
import type { SessionId } from '../../shared/model/ids';
import type { SessionSummary } from '../../shared/model/session';
import { emptySessionView, type ItemView, type SessionView } from '../../shared/model/session-view';
import { reduceEvents, windowItems } from '../../shared/model/session-batch';
import { feedSession, nextFrame, type Schedule } from './session-feed';
import { createItemIndex, groupTurns, type TurnGroup } from './session-items';
import { createStore, type ReadableStore } from './store';

/** Sessions whose events keep coming while nobody looks at them; the least recently used goes first. */
const KEPT_SESSIONS = 6;
/** Above this the oldest items are forgotten while the end is in view, down to {@link WINDOW_ITEMS}. */
const MAX_ITEMS = 400;
const WINDOW_ITEMS = 200;
const OLDER_ITEMS = 100;

export interface SessionState {
  readonly ready: boolean;
  readonly view: SessionView;
  readonly summary: SessionSummary | null;
}

/** One session as a pane sees it. Rows subscribe to their own item: a token costs the same in any session. */
export interface OpenSession {
  readonly id: SessionId;
  readonly state: ReadableStore<SessionState>;
  /** Changes only when items come or go, not when one of them grows. */
  readonly turns: ReadableStore<readonly TurnGroup[]>;
  item(key: string): ItemView | undefined;
  subscribeItem(key: string, listener: () => void): () => void;
  /** Loads the items before the first one; resolves when they are in. Does nothing while that is under way. */
  loadOlder(): Promise<void>;
  /** Whether the end is in view: then the window may forget its oldest items. */
  setFollowing(following: boolean): void;
}

type SessionClient = Pick<Client, 'session'>;

interface LiveSession extends OpenSession {
  close(): void;
}

/** Follows one session: the view its events make, as turns and items, in one update a frame. */
export function followSession(
  client: SessionClient,
  id: SessionId,
  schedule: Schedule = nextFrame,
): LiveSession {
  const state = createStore<SessionState>({ ready: false, view: emptySessionView(), summary: null });
  const turns = createStore<readonly TurnGroup[]>([]);
  const index = createItemIndex();
  let following = true;
  let loading: Promise<void> | null = null;

  const show = (view: SessionView, rest: Partial<SessionState> = {}): void => {
    const { structure, notify } = index.replace(state.get().view.items, view.items);
    if (structure) turns.set(groupTurns(view.items, turns.get()));
    state.set({ ...state.get(), ...rest, view });
    notify();
  };
  const close = feedSession(client, id, schedule, {
    onSnapshot: (view, summary) => show(keepOlder(state.get().view, view), { ready: true, summary }),
    onSummary: (summary) => state.set({ ...state.get(), summary }),
    onEvents: (events) => {
      const next = reduceEvents(state.get().view, events);
      show(following && next.items.length > MAX_ITEMS ? windowItems(next, WINDOW_ITEMS) : next);
    },
  });

  const fetchOlder = async (): Promise<void> => {
    const before = state.get().view.olderItems;
    const { view: older } = await client.session.older({ id, before, limit: OLDER_ITEMS });
    const { view } = state.get();
    // The window moved on meanwhile: these items no longer join it.
    if (view.olderItems !== before) return;
    show({ ...view, items: [...older.items, ...view.items], olderItems: older.olderItems });
  };
  return {
    id,
    state,
    turns,
    item: (key) => index.get(key),
    subscribeItem: (key, listener) => index.subscribe(key, listener),
    loadOlder: () => {
      if (!state.get().ready || state.get().view.olderItems === 0) return Promise.resolve();
      loading ??= fetchOlder().finally(() => {
        loading = null;
      });
      return loading;
    },
    setFollowing: (value) => {
      following = value;
    },
    close,
  };
}

/** A new snapshot holds the newest items only: what was loaded of the older ones stays where it joins. */
function keepOlder(before: SessionView, snapshot: SessionView): SessionView {
  const missing = snapshot.olderItems - before.olderItems;
  const joins = missing > 0 && before.items[missing]?.key === snapshot.items[0]?.key;
  if (!joins) return snapshot;
  return {
    ...snapshot,
    items: [...before.items.slice(0, missing), ...snapshot.items],
    olderItems: before.olderItems,
  };
}

export interface SessionStore {
  /** The session's live state; it stays connected at least until `release` and is then kept while there is room. */
  open(id: SessionId): OpenSession;
  retain(id: SessionId): () => void;
}

/** All sessions that this window follows. */
export function createSessionStore(client: SessionClient, schedule: Schedule = nextFrame): SessionStore {
  const sessions = new Map<SessionId, LiveSession>();
  const holders = new Map<SessionId, number>();
  const evict = (): void => {
    for (const [id, session] of sessions) {
      if (sessions.size <= KEPT_SESSIONS) return;
      if ((holders.get(id) ?? 0) > 0) continue;
      session.close();
      sessions.delete(id);
    }
  };
  const open = (id: SessionId): LiveSession => {
    const session = sessions.get(id) ?? followSession(client, id, schedule);
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  };
  return {
    open,
    retain: (id) => {
      open(id);
      holders.set(id, (holders.get(id) ?? 0) + 1);
      evict();
      return () => {
        holders.set(id, (holders.get(id) ?? 1) - 1);
        evict();
      };
    },
  };
}

const stores = new WeakMap<SessionClient, SessionStore>();

/** The one session store of a client. */
export function sessionStoreOf(client: Client): SessionStore {
  const store = stores.get(client) ?? createSessionStore(client);
  stores.set(client, store);
  return store;
}
