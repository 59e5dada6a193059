import { z } from 'zod';
import { DecidedBy } from './approval';
import { CallId, Sha256, WorkspacePath } from './ids';
import { TodoItem } from './todo';

/** What a command checks, told from its words; `any` for scripts that run several checks. */
export const CheckKind = z.enum(['tests', 'types', 'lint', 'build', 'any']);
export type CheckKind = z.infer<typeof CheckKind>;

/** A file the turn left different, with the sum of its edits. */
export const ReceiptFile = z.object({
  path: WorkspacePath,
  movedFrom: WorkspacePath.optional(),
  change: z.enum(['create', 'modify', 'delete', 'move']),
  additions: z.int(),
  deletions: z.int(),
  /** Hash the turn left; null when it deleted the file. The receipt is stale once the file has another. */
  afterHash: Sha256.nullable(),
});
export type ReceiptFile = z.infer<typeof ReceiptFile>;

export const ReceiptCommand = z.object({
  callId: CallId,
  command: z.string(),
  /** null when a signal or the time limit ended it, or it runs on in the background. */
  exitCode: z.int().nullable(),
  outcome: z.enum(['ended', 'failed', 'background']),
  checks: z.array(CheckKind),
  /** False when a pipe or a later part of the line decides the exit code and not the check. */
  exitTells: z.boolean(),
});
export type ReceiptCommand = z.infer<typeof ReceiptCommand>;

export const ClaimKind = z.enum(['checks', 'ran', 'edited', 'verified', 'tool_result']);
export type ClaimKind = z.infer<typeof ClaimKind>;

/** A statement of the final answer that the harness can check against what happened. */
export const ReceiptClaim = z.object({
  kind: ClaimKind,
  /** The sentence as written, cut to 200 characters. */
  text: z.string(),
  supported: z.boolean(),
  /** What the events say. */
  reason: z.string(),
});
export type ReceiptClaim = z.infer<typeof ReceiptClaim>;

/**
 * What a turn did, worked out by the harness from events alone: the model can't write into it. Absent when there is nothing
 * to tell.
 */
export const Receipt = z.object({
  version: z.literal(1),
  files: z.array(ReceiptFile),
  /** In the order they ran. */
  commandsAfterLastEdit: z.array(ReceiptCommand),
  commandsBefore: z.array(ReceiptCommand),
  denied: z.array(z.object({ callId: CallId, tool: z.string(), label: z.string(), by: DecidedBy })),
  openTodos: z.array(TodoItem),
  claims: z.array(ReceiptClaim),
});
export type Receipt = z.infer<typeof Receipt>;
