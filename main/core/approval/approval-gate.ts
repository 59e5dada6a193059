import { AppError } from '../../../shared/error';
import type { ApprovalAnswer, PendingApproval } from '../../../shared/model/approval';
import type { ApprovalGate, ApprovalReply } from './types';

interface Waiting {
  approval: PendingApproval;
  settle(reply: ApprovalReply): void;
}

/** Node fires timers with a longer delay at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Pending questions to people. Each has its own id and its own answer: nothing is kept by session, so that an old answer
 * can never settle a new question. The first valid answer counts; expiry and stop are denials.
 *
 * @param now epoch milliseconds; replaced in tests
 */
export function createApprovalGate(now: () => number = Date.now): ApprovalGate {
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<(pending: readonly PendingApproval[]) => void>();

  function pending(): readonly PendingApproval[] {
    return [...waiting.values()].map((each) => each.approval);
  }

  function changed(): void {
    const current = pending();
    for (const listener of listeners) listener(current);
  }

  function ask(approval: PendingApproval, signal: AbortSignal): Promise<ApprovalReply> {
    if (waiting.has(approval.id)) {
      return Promise.reject(new AppError('internal', `Approval ${approval.id} is already being asked.`));
    }
    if (signal.aborted) return Promise.resolve({ answer: 'deny', by: 'stop' });
    return new Promise((resolve) => {
      const stop = (): void => {
        settle({ answer: 'deny', by: 'stop' });
      };
      const left = Math.min(Math.max(0, approval.expiresAt - now()), MAX_TIMER_MS);
      const timer = setTimeout(() => {
        settle({ answer: 'deny', by: 'timeout' });
      }, left);
      const settle = (reply: ApprovalReply): void => {
        if (!waiting.delete(approval.id)) return;
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve(reply);
        changed();
      };
      signal.addEventListener('abort', stop, { once: true });
      waiting.set(approval.id, { approval, settle });
      changed();
    });
  }

  function isOffered(approval: PendingApproval, answer: ApprovalAnswer): boolean {
    return answer === 'deny' || answer === 'allow_once' || approval.proposedRule !== null;
  }

  return {
    ask,
    reply(id, answer, by) {
      const entry = waiting.get(id);
      // An answer that was not offered (a longer grant for what can only be allowed once) changes nothing either.
      if (entry === undefined || !isOffered(entry.approval, answer)) return false;
      if (entry.approval.expiresAt <= now()) return false;
      entry.settle({ answer, by });
      return true;
    },
    pending,
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
