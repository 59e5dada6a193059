import type { Client } from '../../../shared/contract/contract';

/** Paths that changed, or null for many. */
export type ChangedPaths = ReadonlySet<string> | null;

export interface ChangeFeed {
  /** Calls `listener` soon after changes, several of them at once; the returned function detaches it. */
  listen(listener: (paths: ChangedPaths) => void): () => void;
  /** Changes that the host's own news does not tell of; null: some may have been missed, everybody looks again. */
  note(paths: readonly string[] | null): void;
}

/** A turn writes several files at once: one look for all of them. */
const SETTLE_MS = 60;

/** What changed in two steps. */
export function joinChanged(before: ChangedPaths, after: readonly string[] | null): ChangedPaths {
  return before === null || after === null ? null : new Set([...before, ...after]);
}

type FeedClient = Pick<Client, 'changes'>;

export function createChangeFeed(client: FeedClient): ChangeFeed {
  const listeners = new Set<(paths: ChangedPaths) => void>();
  let waiting: ChangedPaths = new Set();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stop: (() => void) | null = null;
  const flush = (): void => {
    timer = null;
    const paths = waiting;
    waiting = new Set();
    for (const listener of [...listeners]) listener(paths);
  };
  const take = (paths: readonly string[] | null): void => {
    waiting = joinChanged(waiting, paths);
    timer ??= setTimeout(flush, SETTLE_MS);
  };
  const leave = (): void => {
    stop?.();
    stop = null;
    if (timer) clearTimeout(timer);
    timer = null;
    waiting = new Set();
  };
  return {
    listen: (listener) => {
      listeners.add(listener);
      stop ??= client.changes.changed.subscribe(null, ({ paths }) => take(paths));
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) leave();
      };
    },
    note: (paths) => {
      if (listeners.size > 0) take(paths);
    },
  };
}

const feeds = new WeakMap<FeedClient, ChangeFeed>();

/** The one subscription of a window to what changes in the log and the review. */
export function changeFeedOf(client: FeedClient): ChangeFeed {
  const known = feeds.get(client);
  if (known) return known;
  const feed = createChangeFeed(client);
  feeds.set(client, feed);
  return feed;
}
