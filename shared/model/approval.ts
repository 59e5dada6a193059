import { z } from 'zod';
import { FileDiff } from './diff';
import { ApprovalId, CallId, SessionId, TurnId } from './ids';

export const ApprovalAnswer = z.enum(['allow_once', 'allow_session', 'allow_always', 'deny']);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

export const RuleEffect = z.enum(['allow', 'ask', 'deny']);
export type RuleEffect = z.infer<typeof RuleEffect>;

/** One rule of `rules.jsonc` or one grant: action = tool name or `*`; resource = glob over path, command part or host. */
export const Rule = z.object({ action: z.string().min(1), resource: z.string().min(1), effect: RuleEffect });
export type Rule = z.infer<typeof Rule>;

/** One simple command of a compound command line, with what the policy says of it alone. */
export const CommandPart = z.object({ text: z.string(), verdict: RuleEffect, reason: z.string() });
export type CommandPart = z.infer<typeof CommandPart>;

/** The exact thing that waits for an answer. */
export const ApprovalSubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    /** Absolute folder the command would run in. */
    cwd: z.string(),
    parts: z.array(CommandPart),
    /** True when the line could not be split into plain words: it can't be granted for longer than once. */
    opaque: z.boolean(),
    /** What it may change without that it could be undone: "node_modules/", "big.bin (12 MB)". */
    notCovered: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('write'), paths: z.array(z.string()), diffs: z.array(FileDiff) }),
  z.object({ kind: z.literal('access'), path: z.string(), reason: z.string() }),
  z.object({ kind: z.literal('other'), summary: z.string(), arguments: z.string() }),
]);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

export const PendingApproval = z.object({
  id: ApprovalId,
  sessionId: SessionId,
  turnId: TurnId,
  callId: CallId,
  tool: z.string(),
  /** The question as one line, for example "Run a command?" */
  title: z.string(),
  /** Who asks: agent or subagent name and step. */
  asker: z.string(),
  subject: ApprovalSubject,
  /** Facts the user must see first: deletes files, protected path, hidden characters … */
  warnings: z.array(z.string()),
  danger: z.boolean(),
  /** Why no rule allowed it. */
  reason: z.string(),
  /** The rule that "Allow for session" / "Always allow" would add; null when only "once" is offered. */
  proposedRule: Rule.nullable(),
  /** SHA-256 over {tool, args, cwd, env}: the answer holds for exactly this. */
  digest: z.string(),
  /** Epoch milliseconds. */
  askedAt: z.int(),
  /** Epoch milliseconds; no answer by then is a denial. */
  expiresAt: z.int(),
});
export type PendingApproval = z.infer<typeof PendingApproval>;

/** Who or what settled a call's permission. */
export const DecidedBy = z.enum([
  'user',
  'rule',
  'grant',
  'policy',
  'mode',
  'timeout',
  'stop',
  'flag',
  'guard',
]);
export type DecidedBy = z.infer<typeof DecidedBy>;

/** A grant given in a dialog or a rule of a file, as the rules page lists them. */
export const Grant = z.object({
  id: z.string(),
  rule: Rule,
  scope: z.enum(['session', 'always', 'file', 'builtin']),
  sessionId: SessionId.nullable(),
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
});
export type Grant = z.infer<typeof Grant>;
