import type { Client } from '../../../shared/contract/contract';
import type { ReviewFile } from '../../../shared/model/change';
import { projectStore } from '../project-store';
import { createStore, type ReadableStore } from '../store';
import { changeFeedOf } from './change-feed';

export interface PendingState {
  /** False until the host answered for the first time. */
  readonly ready: boolean;
  readonly files: readonly ReviewFile[];
}

const state = createStore<PendingState>({ ready: false, files: [] });

/** Everything that waits for review in the open project. */
export const pendingStore: ReadableStore<PendingState> = state;

/** Takes over an answer that names all pending files. */
export const setPending = (files: readonly ReviewFile[]): void => state.set({ ready: true, files });

export const EVERYTHING = { sessionId: null, turnId: null } as const;

type PendingClient = Pick<Client, 'changes' | 'files'>;

/** What waits of a file is what its text on the disk says: any change of that counts, whoever made it. */
function followDisk(client: PendingClient): () => void {
  const feed = changeFeedOf(client);
  return client.files.changed.subscribe(null, ({ paths, overflow }) => {
    const pending = new Set<string>(state.get().files.map(({ path }) => path));
    const changed = paths.map(({ path }) => path).filter((path) => pending.has(path));
    if (overflow && pending.size > 0) feed.note(null);
    else if (changed.length > 0) feed.note(changed);
  });
}

/**
 * Keeps {@link pendingStore} equal to the host's list until the returned function is called. A host that can't tell leaves
 * the list as it was: the review view shows why.
 */
export function connectPending(client: PendingClient): () => void {
  let asked = 0;
  const look = async (): Promise<void> => {
    if (!projectStore.get()) return;
    asked += 1;
    const mine = asked;
    const files = await client.changes.pending(EVERYTHING).catch(() => null);
    if (files && mine === asked) setPending(files);
  };
  const lookSoon = (): void => void look();
  const stops = [changeFeedOf(client).listen(lookSoon), followDisk(client), projectStore.subscribe(lookSoon)];
  lookSoon();
  return () => stops.forEach((stop) => stop());
}
