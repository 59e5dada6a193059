import type { Client } from '../../shared/contract/contract';
import type { PendingApproval } from '../../shared/model/approval';
import { createStore } from './store';

const store = createStore<readonly PendingApproval[]>([]);

/** Every approval that waits on this host, oldest first, of all sessions. */
export const pendingApprovals = { get: store.get, subscribe: store.subscribe };

/** Keeps the list in step with the host until the returned function is called. */
export const connectApprovals = (client: Pick<Client, 'turn'>): (() => void) =>
  client.turn.approvalsChanged.subscribe(null, (pending) => store.set(pending));
