import type { PendingApproval } from '../../shared/model/approval';
import type { SessionActivity, SessionSummary } from '../../shared/model/session';

/** Something to tell a user who looks elsewhere. */
export interface Attention {
  /** A newer one of the same tag replaces the older. */
  tag: string;
  title: string;
  text: string;
  sessionId: string;
}

/** The approvals in `now` that were not there `before`. */
export function newApprovals(
  before: readonly PendingApproval[],
  now: readonly PendingApproval[],
): Attention[] {
  const known = new Set(before.map((approval) => approval.id));
  return now
    .filter((approval) => !known.has(approval.id))
    .map((approval) => ({
      tag: `approval-${approval.id}`,
      title: approval.title,
      text: `${approval.asker} waits for your answer.`,
      sessionId: approval.sessionId,
    }));
}

const ENDED: Partial<Record<SessionActivity, string>> = {
  idle: 'finished',
  failed: 'stopped with an error',
  interrupted: 'was interrupted',
};

/** What a session's step from one activity to the next means to a user who looks elsewhere; null for nothing. */
export function turnEnd(before: SessionActivity | undefined, summary: SessionSummary): Attention | null {
  const wasRunning = before === 'running' || before === 'waiting';
  const verb = ENDED[summary.activity];
  // The end of a subagent is news for the session that started it, not for the user.
  if (!wasRunning || verb === undefined || summary.parentId !== null) return null;
  return {
    tag: `turn-${summary.id}`,
    title: `“${summary.title}” ${verb}`,
    text: summary.lastFact,
    sessionId: summary.id,
  };
}

/** The window's title: how much waits, then where one is. */
export function windowTitle(waiting: number, projectName: string | null): string {
  const name = projectName === null ? 'Lathe' : `${projectName} – Lathe`;
  return waiting > 0 ? `(${waiting}) ${name}` : name;
}
