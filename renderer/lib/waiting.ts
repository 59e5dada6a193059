import type { PendingApproval } from '../../shared/model/approval';
import { pendingApprovals } from './approval-store';
import { type ChatStatus, statusStore } from './status-store';
import { useStore } from './store';

type Own = Pick<ChatStatus, 'sessionId' | 'waiting'>;

/** How much waits for the user: what the session on screen asks, and the approvals of all others. */
export function waitingCount(pending: readonly Pick<PendingApproval, 'sessionId'>[], own: Own): number {
  return own.waiting + pending.filter(({ sessionId }) => sessionId !== own.sessionId).length;
}

/** {@link waitingCount} of this window, followed. */
export function useWaitingCount(): number {
  const pending = useStore(pendingApprovals);
  const sessionId = useStore(statusStore.chat, (chat) => chat.sessionId);
  const waiting = useStore(statusStore.chat, (chat) => chat.waiting);
  return waitingCount(pending, { sessionId, waiting });
}

/** The approvals of one session that wait. */
export const useSessionWaiting = (id: string): number =>
  useStore(pendingApprovals, (pending) => pending.filter(({ sessionId }) => sessionId === id).length);

export const waitingWords = (count: number): string => `${count} waiting`;
