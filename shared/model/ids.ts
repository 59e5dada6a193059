import { z } from 'zod';

const identifier = z.string().min(1).max(128);

export const ProjectId = identifier.brand<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;
export const SessionId = identifier.brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;
export const TurnId = identifier.brand<'TurnId'>();
export type TurnId = z.infer<typeof TurnId>;
export const MessageId = identifier.brand<'MessageId'>();
export type MessageId = z.infer<typeof MessageId>;
/** The id of one tool call. Providers choose it, so it is any string of up to 64 legal characters after repair. */
export const CallId = identifier.brand<'CallId'>();
export type CallId = z.infer<typeof CallId>;
export const ApprovalId = identifier.brand<'ApprovalId'>();
export type ApprovalId = z.infer<typeof ApprovalId>;
export const QuestionId = identifier.brand<'QuestionId'>();
export type QuestionId = z.infer<typeof QuestionId>;
/** A side question with its answer. */
export const AsideId = identifier.brand<'AsideId'>();
export type AsideId = z.infer<typeof AsideId>;
export const TerminalId = identifier.brand<'TerminalId'>();
export type TerminalId = z.infer<typeof TerminalId>;

/** Lower-case hex SHA-256 of a file's bytes. */
export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'Sha256'>();
export type Sha256 = z.infer<typeof Sha256>;

/** A path inside the open project: relative, `/`-separated, '' for the project folder itself. */
export const WorkspacePath = z.string().max(4096);
export type WorkspacePath = z.infer<typeof WorkspacePath>;
