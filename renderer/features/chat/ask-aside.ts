import type { Client } from '../../../shared/contract/contract';
import type { SessionId } from '../../../shared/model/ids';
import { toastError } from '../../lib/toast-store';

/** Asks a side question; its answer comes in with the session's events. */
export function askAside(client: Pick<Client, 'turn'>, sessionId: SessionId, text: string): void {
  client.turn
    .askAside({ sessionId, text })
    .catch((error: unknown) => toastError(error, 'The side question was not asked'));
}
