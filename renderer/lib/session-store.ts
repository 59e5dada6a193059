import type { Client } from '../../shared/contract/contract';
import type { SessionId } from '../../shared/model/ids';
import type { SessionSummary } from '../../shared/model/session';
import { emptySessionView, type ItemView, type SessionView } from '../../shared/model/session-view';
import { reduceEvents, windowItems } from '../../shared/model/session-batch';
import type { TurnEvent } from '../../shared/model/turn-event';
import { createItemIndex, groupTurns, type TurnGroup } from './session-items';
import { createStore, type ReadableStore } from './store';

/** Sessions whose events keep coming while nobody looks at them; the least recently used goes first. */
const KEPT_SESSIONS = 6;
/** Above this the oldest items are forgotten while the end is in view, down to {@link WINDOW_ITEMS}. */
const MAX_ITEMS = 400;
const WINDOW_ITEMS = 200;
const OLDER_ITEMS = 100;
/** A window that is not drawn gets no animation frames; its state must still move on. */
const HIDDEN_FLUSH_MS = 250;

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

type Frame = Parameters<Parameters<Client['session']['events']['subscribe']>[1]>[0];
type SessionClient = Pick<Client, 'session'>;
/** Runs a task soon, once; the returned function calls it off. */
export type Schedule = (task: () => void) => () => void;

/** At the next animation frame, or after a quarter of a second where none comes. */
export const nextFrame: Schedule = (task) => {
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    cancel();
    task();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, HIDDEN_FLUSH_MS);
  return cancel;
};

interface LiveSession extends OpenSession {
  close(): void;
}

/** Follows one session: snapshot, then events, in one update a frame; a gap asks for a new snapshot. */
export function followSession(
  client: SessionClient,
  id: SessionId,
  schedule: Schedule = nextFrame,
): LiveSession {
  const state = createStore<SessionState>({ ready: false, view: emptySessionView(), summary: null });
  const turns = createStore<readonly TurnGroup[]>([]);
  const index = createItemIndex();
  let queue: TurnEvent[] = [];
  let cancelFlush: (() => void) | null = null;
  let following = true;
  let loading: Promise<void> | null = null;

  const show = (view: SessionView, rest: Partial<SessionState> = {}): void => {
    const { structure, notify } = index.replace(state.get().view.items, view.items);
    if (structure) turns.set(groupTurns(view.items, turns.get()));
    state.set({ ...state.get(), ...rest, view });
    notify();
  };
  const flush = (): void => {
    cancelFlush = null;
    const events = queue;
    queue = [];
    const next = reduceEvents(state.get().view, events);
    show(following && next.items.length > MAX_ITEMS ? windowItems(next, WINDOW_ITEMS) : next);
  };
  const dropQueue = (): void => {
    cancelFlush?.();
    cancelFlush = null;
    queue = [];
  };
  const lastSeq = (): number => queue.at(-1)?.seq ?? state.get().view.seq;

  const onEvents = (events: readonly TurnEvent[]): void => {
    const fresh = events.filter((event) => event.seq > lastSeq());
    const first = fresh[0];
    if (!first || !state.get().ready) return;
    if (first.seq !== lastSeq() + 1) {
      dropQueue();
      resubscribe();
      return;
    }
    queue.push(...fresh);
    cancelFlush ??= schedule(flush);
  };
  const onFrame = (frame: Frame): void => {
    if (frame.kind === 'events') onEvents(frame.events);
    else if (frame.kind === 'summary') state.set({ ...state.get(), summary: frame.summary });
    else {
      dropQueue();
      show(keepOlder(state.get().view, frame.view), { ready: true, summary: frame.summary });
    }
  };
  let unsubscribe = client.session.events.subscribe({ id }, onFrame);
  const resubscribe = (): void => {
    unsubscribe();
    unsubscribe = client.session.events.subscribe({ id }, onFrame);
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
      if (!state.get().ready || state.get().view.olderItems === 0) return Promise.resolve();
      loading ??= fetchOlder().finally(() => {
        loading = null;
      });
      return loading;
    },
    setFollowing: (value) => {
      following = value;
    },
    close: () => {
      dropQueue();
      unsubscribe();
    },
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
