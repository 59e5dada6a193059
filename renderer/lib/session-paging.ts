import type { SessionSummary } from '../../shared/model/session';
import type { SessionView } from '../../shared/model/session-view';
import { joined, type PastWindow, pastWindow, withNewer, withOlder } from './past-window';

const OLDER_ITEMS = 100;
/** Items that are shown around one that was searched for. */
const AROUND_ITEMS = 80;

/** What a window has of a session: the newest items, and an older part while one is looked at. */
export interface SessionState {
  readonly ready: boolean;
  readonly view: SessionView;
  readonly summary: SessionSummary | null;
  /** What is on screen instead of the newest items, while somebody looks at an older part. */
  readonly past: PastWindow | null;
}

/** Moves what is shown of a session to and fro in it. */
export interface Paging {
  /** Loads the items before the first one; resolves when they are in. Does nothing while that is under way. */
  loadOlder(): Promise<void>;
  /** Loads the items after the last one that is shown; only an older part has some. */
  loadNewer(): Promise<void>;
  /** Shows the item with this number and what is around it; resolves to its key, or null when it is not there. */
  showAround(index: number): Promise<string | null>;
  /** Back from an older part to the newest items. */
  showNewest(): void;
}

/** The items before number `before`, at most `limit`. */
export type LoadPart = (before: number, limit: number) => Promise<SessionView>;

/** The state that paging reads and replaces. */
export interface PagedState {
  get(): SessionState;
  set(next: SessionState): void;
}

const totalItems = (view: SessionView): number => view.olderItems + view.items.length;

/** One after the other: what came in between would be lost. */
function oneAtATime(): (fetch: () => Promise<void>) => Promise<void> {
  let loading: Promise<void> | null = null;
  return (fetch) => {
    loading ??= fetch().finally(() => {
      loading = null;
    });
    return loading;
  };
}

/** Loads more of the newest part. */
async function fetchOlder(state: PagedState, part: LoadPart): Promise<void> {
  const before = state.get().view.olderItems;
  const older = await part(before, OLDER_ITEMS);
  const { view } = state.get();
  // The window moved on meanwhile: these items no longer join it.
  if (view.olderItems !== before) return;
  const items = [...older.items, ...view.items];
  state.set({ ...state.get(), view: { ...view, items, olderItems: older.olderItems } });
}

/** Loads more of an older part, which becomes one with the newest when they meet. */
function pastLoader(state: PagedState, part: LoadPart) {
  const setPast = (past: PastWindow): void => {
    const whole = joined(past, state.get().view);
    state.set(whole ? { ...state.get(), view: whole, past: null } : { ...state.get(), past });
  };
  const fetchOlder = async (past: PastWindow): Promise<void> => {
    const older = await part(past.olderItems, OLDER_ITEMS);
    if (state.get().past === past) setPast(withOlder(past, older));
  };
  const fetchNewer = async (past: PastWindow): Promise<void> => {
    const end = past.olderItems + past.items.length;
    const limit = Math.min(OLDER_ITEMS, past.newerItems);
    const newer = await part(end + limit, limit);
    if (state.get().past === past) setPast(withNewer(past, newer.items, totalItems(state.get().view)));
  };
  const showAround = async (at: number): Promise<string | null> => {
    const { view } = state.get();
    if (at >= view.olderItems) {
      state.set({ ...state.get(), past: null });
      return view.items[at - view.olderItems]?.key ?? null;
    }
    const total = totalItems(view);
    const end = Math.min(total, at + AROUND_ITEMS / 2);
    const around = await part(end, AROUND_ITEMS);
    setPast(pastWindow(around, total));
    return around.items[at - around.olderItems]?.key ?? null;
  };
  return { fetchOlder, fetchNewer, showAround };
}

/** Loads what comes before and after the items that are shown, and goes to a part further back. */
export function createPaging(state: PagedState, part: LoadPart): Paging {
  const pastPart = pastLoader(state, part);
  const once = oneAtATime();
  return {
    loadOlder: () => {
      const { ready, view, past } = state.get();
      if (!ready || (past ?? view).olderItems === 0) return Promise.resolve();
      return once(() => (past ? pastPart.fetchOlder(past) : fetchOlder(state, part)));
    },
    loadNewer: () => {
      const { past } = state.get();
      return past && past.newerItems > 0 ? once(() => pastPart.fetchNewer(past)) : Promise.resolve();
    },
    showAround: pastPart.showAround,
    showNewest: () => state.set({ ...state.get(), past: null }),
  };
}
