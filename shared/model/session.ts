import { z } from 'zod';
import { CallId, ProjectId, SessionId } from './ids';
import { Mode } from './mode';

/** What a session is doing right now, for lists and tabs. */
export const SessionActivity = z.enum(['idle', 'running', 'waiting', 'failed', 'interrupted']);
export type SessionActivity = z.infer<typeof SessionActivity>;

export const SessionSummary = z.object({
  id: SessionId,
  projectId: ProjectId,
  /** Absolute path of the project's folder when the session was last written. */
  projectPath: z.string(),
  title: z.string(),
  mode: Mode,
  /** Chosen model as `provider/model`; null follows the default. */
  model: z.string().nullable(),
  activity: SessionActivity,
  /** One line: what happened last. */
  lastFact: z.string(),
  messageCount: z.int(),
  /** Name of the session's agent; null: the one of its mode. */
  agent: z.string().nullable().default(null),
  /** The session that started this one as a subagent, and the call that did; null for the user's own sessions. */
  parentId: SessionId.nullable().default(null),
  parentCallId: CallId.nullable().default(null),
  /** Steps per turn that whoever started the subagent allowed; null: the agent's own cap. */
  maxSteps: z.int().nullable().default(null),
  /** Known cost of this session's requests in millionths of a US dollar, without its subagents. */
  costMicros: z.int().default(0),
  /** Tokens in and out of all requests, without its subagents. */
  spentTokens: z.int().default(0),
  /** What this session and its subagents may spend; null follows the setting, 0 is no limit. */
  budgetMicros: z.int().nullable().default(null),
  budgetTokens: z.int().nullable().default(null),
  /** Epoch milliseconds. */
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Whose log it was imported from (`claude`, `codex`, `opencode`, `pi`, `lathe`, `openai`); absent for our own. */
  origin: z.string().optional(),
  /** The session it was forked from, which may be gone by now. */
  forkedFrom: SessionId.optional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;
