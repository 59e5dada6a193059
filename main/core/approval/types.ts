import type {
  ApprovalAnswer,
  CommandPart,
  DecidedBy,
  PendingApproval,
  Rule,
} from '../../../shared/model/approval';
import type { Mode } from '../../../shared/model/mode';
import type { CallSubject, ToolEffect } from '../tool/types';

/** What stands in for a person: dialogs, or a flag of the command line. */
export type ApprovalFlag = 'dialog' | 'all' | 'edits' | 'none';

export interface PolicyInput {
  tool: string;
  effect: ToolEffect;
  subject: CallSubject;
  mode: Mode;
  projectRoot: string;
  /** File rules first, then grants (always, then session); built-in protections are not in here. Last match wins. */
  rules: readonly { rule: Rule; from: 'file' | 'project' | 'always' | 'session'; id: string }[];
  flag: ApprovalFlag;
  /** Edits inside the project are looked at after they are made: where nothing else speaks against it, they are not asked. */
  reviewAfter?: boolean;
}

export interface PolicyDecision {
  verdict: 'allow' | 'ask' | 'deny';
  by: DecidedBy;
  /** One sentence: which rule fired, or why none did. */
  reason: string;
  parts: CommandPart[];
  /** The command could not be split into plain words. */
  opaque: boolean;
  danger: boolean;
  warnings: string[];
  /** Offered as "Allow for session" / "Always allow"; null when only once may be granted. */
  proposedRule: Rule | null;
  /** Id of the grant that allowed it, for "last used". */
  grantId: string | null;
}

export interface ApprovalReply {
  answer: ApprovalAnswer;
  by: DecidedBy;
}

/** Pending questions to people. Each has its own id; the first valid answer settles it everywhere. */
export interface ApprovalGate {
  /** Waits for an answer, the time limit or `signal`; the last two are `deny` with by = timeout / stop. */
  ask(approval: PendingApproval, signal: AbortSignal): Promise<ApprovalReply>;
  /** False when there is nothing to answer under this id (late, repeated or unknown): nothing changes then. */
  reply(id: string, answer: ApprovalAnswer, by: DecidedBy): boolean;
  pending(): readonly PendingApproval[];
  onChange(listener: (pending: readonly PendingApproval[]) => void): () => void;
}
