import type { PendingApproval } from '../../../shared/model/approval';

/** All approvals that wait in this window, and what the user did with them here. */
export interface ApprovalQueue {
  readonly pending: readonly PendingApproval[];
  /** Put off with Escape: they wait on the card. */
  readonly deferred: ReadonlySet<string>;
  /** Answered here, not yet gone from the host's list. */
  readonly answered: ReadonlySet<string>;
}

export const emptyQueue: ApprovalQueue = { pending: [], deferred: new Set(), answered: new Set() };

/** The host's list replaces ours; what is gone from it is forgotten. */
export function withPending(queue: ApprovalQueue, pending: readonly PendingApproval[]): ApprovalQueue {
  const ids = new Set<string>(pending.map(({ id }) => id));
  return {
    pending,
    deferred: new Set([...queue.deferred].filter((id) => ids.has(id))),
    answered: new Set([...queue.answered].filter((id) => ids.has(id))),
  };
}

const open = ({ pending, answered }: ApprovalQueue): PendingApproval[] =>
  pending.filter(({ id }) => !answered.has(id));

/** The one whose dialog is open: the oldest that was not put off. */
export const inDialog = (queue: ApprovalQueue): PendingApproval | null =>
  open(queue).find(({ id }) => !queue.deferred.has(id)) ?? null;

/** Those that wait on the card, oldest first. */
export const onCard = (queue: ApprovalQueue): PendingApproval[] =>
  open(queue).filter(({ id }) => queue.deferred.has(id));

export const defer = (queue: ApprovalQueue, id: string): ApprovalQueue => ({
  ...queue,
  deferred: new Set([...queue.deferred, id]),
});

export const review = (queue: ApprovalQueue, id: string): ApprovalQueue => ({
  ...queue,
  deferred: new Set([...queue.deferred].filter((other) => other !== id)),
});

export const answer = (queue: ApprovalQueue, id: string): ApprovalQueue => ({
  ...queue,
  answered: new Set([...queue.answered, id]),
});

/** The answer did not arrive: the question is open again. */
export const reopen = (queue: ApprovalQueue, id: string): ApprovalQueue => ({
  ...queue,
  answered: new Set([...queue.answered].filter((other) => other !== id)),
});
