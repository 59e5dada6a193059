import type { Client } from '../../shared/contract/contract';
import type { SessionId } from '../../shared/model/ids';
import { emptySessionView, type ItemView, type SessionView } from '../../shared/model/session-view';
import { reduceEvents, windowItems } from '../../shared/model/session-batch';
import { feedSession, nextFrame, type Schedule } from './session-feed';
import { createItemIndex, groupTurns, type TurnGroup } from './session-items';
import { createPaging, type LoadPart, type Paging, type SessionState } from './session-paging';
import { createStore, type ReadableStore } from './store';

/** Sessions whose events keep coming while nobody looks at them; the least recently used goes first. */
const KEPT_SESSIONS = 6;
/** Above this the oldest items are forgotten while the end is in view, down to {@link WINDOW_ITEMS}. */
const MAX_ITEMS = 400;
const WINDOW_ITEMS = 200;

/** One session as a pane sees it. Rows subscribe to their own item: a token costs the same in any session. */
export interface OpenSession extends Paging {
  readonly id: SessionId;
  readonly state: ReadableStore<SessionState>;
  /** Changes only when items come or go, not when one of them grows. */
  readonly turns: ReadableStore<readonly TurnGroup[]>;
  item(key: string): ItemView | undefined;
  subscribeItem(key: string, listener: () => void): () => void;
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
  const part: LoadPart = async (before, limit) => (await client.session.older({ id, before, limit })).view;
  return {
    id,
    state,
    turns,
    item: (key) => index.get(key),
    subscribeItem: (key, listener) => index.subscribe(key, listener),
    ...createPaging({ get: () => state.get(), set }, part),
    setFollowing: (value) => {
      following = value;
    },
    close,
  };
}

const shownItems = ({ view, past }: SessionState): readonly ItemView[] => past?.items ?? view.items;

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
