import { z } from 'zod';
import { ProjectId, SessionId } from './ids';
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
  /** Epoch milliseconds. */
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;
  /** Whose log it was imported from (`claude`, `codex`, `opencode`, `pi`, `lathe`, `openai`); absent for our own. */
  origin: z.string().optional(),
  /** The session it was forked from, which may be gone by now. */
  forkedFrom: SessionId.optional(),
