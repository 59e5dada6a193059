import { randomUUID } from 'node:crypto';
import type { FileDiff } from '../../../shared/model/diff';
import { ApprovalId, CallId, SessionId, TurnId } from '../../../shared/model/ids';
import type { ApprovalSubject, PendingApproval } from '../../../shared/model/approval';
import { describeHidden, hiddenCharacters } from './hidden-characters';
import type { PolicyDecision } from './types';

export interface ApprovalFacts {
  sessionId: string;
  turnId: string;
  callId: string;
  tool: string;
  /** Agent or subagent name and step, as "agent, step 3". */
  asker: string;
  subject: ApprovalSubject;
  decision: PolicyDecision;
  /** See `approvalDigest`. */
  digest: string;
  /** Epoch milliseconds. */
  now: number;
  /** Setting `chat.approval.timeoutSeconds` in milliseconds. */
  timeoutMs: number;
}

/** Most of a reason goes after "that": "It deletes folders …" reads "Run a command that deletes folders …?" */
function commandTitle(decision: PolicyDecision): string {
  const reason = decision.danger ? decision.warnings[0] : undefined;
  const clause =
    /^It ((?:deletes|discards|overwrites|rewrites|destroys|publishes|cuts|changes|runs|moves|may change)\b.*)\.$/.exec(
      reason ?? '',
    )?.[1];
  const plain = clause?.replaceAll('`', '') ?? '';
  return plain !== '' && plain.length <= 70 ? `Run a command that ${plain}?` : 'Run a command?';
}

function writeTitle(tool: string, subject: Extract<ApprovalSubject, { kind: 'write' }>): string {
  const count = subject.paths.length;
  if (count > 1) return `Edit ${count} files?`;
  const [diff] = subject.diffs;
  if (diff?.change === 'create') return 'Create a file?';
  if (diff?.change === 'delete') return 'Delete a file?';
  if (diff?.change === 'move') return 'Move a file?';
  return tool === 'write_file' && diff === undefined ? 'Write a file?' : 'Edit a file?';
}

function titleOf({ tool, subject, decision }: ApprovalFacts): string {
  switch (subject.kind) {
    case 'command':
      return commandTitle(decision);
    case 'write':
      return writeTitle(tool, subject);
    case 'access':
      return 'Allow access outside the project?';
    case 'other':
      return `Use the tool ${tool}?`;
  }
}

function addedLines(diff: FileDiff): string[] {
  return diff.hunks.flatMap((hunk) =>
    hunk.lines.filter((line) => line.kind === 'add').map((line) => line.text),
  );
}

/** What a person reads before answering, as text: hidden characters in it are counted. */
function shownText(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'command':
      return subject.cwd;
    case 'write':
      return [...subject.paths, ...subject.diffs.flatMap(addedLines)].join('\n');
    case 'access':
      return subject.path;
    case 'other':
      return `${subject.summary}\n${subject.arguments}`;
  }
}

function withParts(subject: ApprovalSubject, decision: PolicyDecision): ApprovalSubject {
  if (subject.kind !== 'command') return subject;
  return { ...subject, parts: decision.parts, opaque: decision.opaque };
}

/** The question to a person that follows from a decision to ask. Its id is its own; its answer holds for its digest. */
export function buildApproval(facts: ApprovalFacts): PendingApproval {
  const { decision } = facts;
  const hidden = describeHidden(hiddenCharacters(shownText(facts.subject)));
  return {
    id: ApprovalId.parse(randomUUID()),
    sessionId: SessionId.parse(facts.sessionId),
    turnId: TurnId.parse(facts.turnId),
    callId: CallId.parse(facts.callId),
    tool: facts.tool,
    title: titleOf(facts),
    asker: facts.asker,
    subject: withParts(facts.subject, decision),
    warnings: [...decision.warnings, ...(hidden === null ? [] : [`What is shown has ${hidden}.`])],
    danger: decision.danger,
    reason: decision.reason,
    proposedRule: decision.proposedRule,
    digest: facts.digest,
    askedAt: facts.now,
    expiresAt: facts.now + facts.timeoutMs,
  };
}
