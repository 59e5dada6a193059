import type { Client } from '../../shared/contract/contract';
import type { SessionId } from '../../shared/model/ids';
import type { SessionSummary } from '../../shared/model/session';
import { emptySessionView, type ItemView, type SessionView } from '../../shared/model/session-view';
import { reduceEvents, windowItems } from '../../shared/model/session-batch';
import { feedSession, nextFrame, type Schedule } from './session-feed';
import { createItemIndex, groupTurns, type TurnGroup } from './session-items';
import { joined, type PastWindow, pastWindow, withNewer, withOlder } from './past-window';
import { createStore, type ReadableStore } from './store';

/** Sessions whose events keep coming while nobody looks at them; the least recently used goes first. */
const KEPT_SESSIONS = 6;
/** Above this the oldest items are forgotten while the end is in view, down to {@link WINDOW_ITEMS}. */
const MAX_ITEMS = 400;
const WINDOW_ITEMS = 200;
const OLDER_ITEMS = 100;
/** Items that are shown around one that was searched for. */
const AROUND_ITEMS = 80;

export interface SessionState {
  readonly ready: boolean;
  readonly view: SessionView;
  readonly summary: SessionSummary | null;
  /** What is on screen instead of the newest items, while somebody looks at an older part. */
  readonly past: PastWindow | null;
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
  /** Loads the items after the last one that is shown; only an older part has some. */
  loadNewer(): Promise<void>;
  /** Shows the item with this number and what is around it; resolves to its key, or null when it is not there. */
  showAround(index: number): Promise<string | null>;
  /** Back from an older part to the newest items. */
  showNewest(): void;
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
  const state = createStore<SessionState>({
    ...{ ready: false, view: emptySessionView(), summary: null, past: null },
  });
  const turns = createStore<readonly TurnGroup[]>([]);
  const index = createItemIndex();
  let following = true;
  let loading: Promise<void> | null = null;

  const set = (next: SessionState): void => {
    const { structure, notify } = index.replace(shownItems(state.get()), shownItems(next));
    if (structure) turns.set(groupTurns(shownItems(next), turns.get()));
    state.set(next);
    notify();
  };
  const show = (view: SessionView, rest: Partial<SessionState> = {}): void =>
    set({ ...state.get(), ...rest, view });
  const close = feedSession(client, id, schedule, {
    onSnapshot: (view, summary) => show(keepOlder(state.get().view, view), { ready: true, summary }),
    onSummary: (summary) => state.set({ ...state.get(), summary }),
    onEvents: (events) => {
      const next = reduceEvents(state.get().view, events);
      const mayForget = following || state.get().past !== null;
      show(mayForget && next.items.length > MAX_ITEMS ? windowItems(next, WINDOW_ITEMS) : next);
    },
  });

  const part = async (before: number, limit: number): Promise<SessionView> =>
    (await client.session.older({ id, before, limit })).view;
  const setPast = (past: PastWindow): void => {
    const whole = joined(past, state.get().view);
    set(whole ? { ...state.get(), view: whole, past: null } : { ...state.get(), past });
  };
  const fetchOlderPast = async (past: PastWindow): Promise<void> => {
    const older = await part(past.olderItems, OLDER_ITEMS);
    if (state.get().past === past) setPast(withOlder(past, older));
  };
  const fetchNewerPast = async (past: PastWindow): Promise<void> => {
    const end = past.olderItems + past.items.length;
    const limit = Math.min(OLDER_ITEMS, past.newerItems);
    const newer = await part(end + limit, limit);
    if (state.get().past === past) setPast(withNewer(past, newer.items, totalItems(state.get().view)));
  };
  const showAround = async (at: number): Promise<string | null> => {
    const { view } = state.get();
    if (at >= view.olderItems) {
      set({ ...state.get(), past: null });
      return view.items[at - view.olderItems]?.key ?? null;
    }
    const total = totalItems(view);
    const end = Math.min(total, at + AROUND_ITEMS / 2);
    const around = await part(end, AROUND_ITEMS);
    setPast(pastWindow(around, total));
    return around.items[at - around.olderItems]?.key ?? null;
  };
  /** One after the other: what came in between would be lost. */
  const once = (fetch: () => Promise<void>): Promise<void> => {
    loading ??= fetch().finally(() => {
      loading = null;
    });
    return loading;
  };
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
      const { ready, view, past } = state.get();
      if (!ready || (past ?? view).olderItems === 0) return Promise.resolve();
      return once(() => (past ? fetchOlderPast(past) : fetchOlder()));
    },
    loadNewer: () => {
      const { past } = state.get();
      return past && past.newerItems > 0 ? once(() => fetchNewerPast(past)) : Promise.resolve();
    },
    showAround,
    showNewest: () => set({ ...state.get(), past: null }),
    setFollowing: (value) => {
      following = value;
    },
    close,
  };
}

const shownItems = ({ view, past }: SessionState): readonly ItemView[] => past?.items ?? view.items;
const totalItems = (view: SessionView): number => view.olderItems + view.items.length;

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
