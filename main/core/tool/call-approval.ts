import { randomUUID } from 'node:crypto';
import type { ApprovalSubject, PendingApproval, Rule } from '../../../shared/model/approval';
import { ApprovalId, SessionId, TurnId, type CallId } from '../../../shared/model/ids';
import type { ApprovalGate, ApprovalReply, PolicyDecision } from '../approval/types';
import type { CallEnvironment } from './types';

export interface AskOptions {
  gate: ApprovalGate;
  /** Keeps a rule that the answer gave. */
  onGrant(rule: Rule, scope: 'session' | 'always', sessionId: string): void | Promise<void>;
  timeoutMs: number;
  /** Epoch milliseconds. */
  now(): number;
}

export interface Asked {
  callId: CallId;
  tool: string;
  /** How many calls the answer is for: more than one when they are one change of one file. */
  calls: number;
  subject: ApprovalSubject;
  decision: PolicyDecision;
  digest: string;
  /** Said first when the question is asked again because the files changed (sec-B15). */
  again: boolean;
}

/**
 * Asks a person about one call under an id of its own, with the digest the answer holds for, and keeps the rule that comes
 * with "for session" and "always".
 */
export async function askForApproval(
  asked: Asked,
  environment: CallEnvironment,
  options: AskOptions,
): Promise<ApprovalReply> {
  const approval = pendingApproval(asked, environment, options);
  await environment.emit({ type: 'approval.asked', approval });
  const reply = await options.gate.ask(approval, environment.signal);
  await environment.emit({
    type: 'approval.replied',
    approvalId: approval.id,
    callId: approval.callId,
    answer: reply.answer,
    by: reply.by,
  });
  const scope =
    reply.answer === 'allow_session' ? 'session' : reply.answer === 'allow_always' ? 'always' : null;
  // Without a rule on offer every allowance is for once.
  if (scope !== null && approval.proposedRule !== null) {
    await options.onGrant(approval.proposedRule, scope, environment.sessionId);
  }
  return reply;
}

function pendingApproval(asked: Asked, environment: CallEnvironment, options: AskOptions): PendingApproval {
  const { decision } = asked;
  const now = options.now();
  const changed = asked.again
    ? ['The file changed since you were asked. This is the change as it would be now.']
    : [];
  return {
    id: ApprovalId.parse(randomUUID()),
    sessionId: SessionId.parse(environment.sessionId),
    turnId: TurnId.parse(environment.turnId),
    callId: asked.callId,
    tool: asked.tool,
    title: titleOf(asked.subject, asked.calls),
    asker: environment.asker,
    subject: withJudgement(asked.subject, decision),
    warnings: [...changed, ...decision.warnings],
    danger: decision.danger,
    reason: decision.reason,
    proposedRule: decision.opaque ? null : decision.proposedRule,
    digest: asked.digest,
    askedAt: now,
    expiresAt: now + options.timeoutMs,
  };
}

/** The policy parsed the command; what it found is what people are shown. */
function withJudgement(subject: ApprovalSubject, decision: PolicyDecision): ApprovalSubject {
  if (subject.kind !== 'command') return subject;
  return { ...subject, parts: decision.parts, opaque: decision.opaque };
}

function titleOf(subject: ApprovalSubject, calls: number): string {
  switch (subject.kind) {
    case 'command':
      return 'Run a command?';
    case 'write':
      if (calls > 1) return `Make ${calls} edits to one file?`;
      return writeTitle(subject.paths, subject.diffs[0]?.change);
    case 'access':
      return 'Allow access outside the project?';
    case 'other':
      return 'Allow this call?';
  }
}

function writeTitle(paths: readonly string[], change: string | undefined): string {
  if (paths.length !== 1) return `Change ${paths.length} files?`;
  if (change === 'create') return 'Create a file?';
  return change === 'delete' ? 'Delete a file?' : 'Change a file?';
}
