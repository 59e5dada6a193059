import { z } from 'zod';
import { Mode } from './mode';

/** Names of the agents that come with Lathe; the first three are the modes. */
export const BUILTIN_AGENT_NAMES = ['agent', 'plan', 'ask', 'explore', 'general'] as const;

/** An agent that a session can be given: what it may do, with which tools and for how many steps. */
export const AgentInfo = z.object({
  /** What configures a session and what `task` names. */
  name: z.string(),
  /** As people read it. */
  title: z.string(),
  description: z.string(),
  /** What the agent may do at most. */
  mode: Mode,
  origin: z.enum(['builtin', 'user', 'project']),
  /** The file it comes from; null for those that come with Lathe. */
  path: z.string().nullable(),
  maxSteps: z.int(),
  /** Tools it is limited to; null: all of its mode. */
  tools: z.array(z.string()).nullable(),
  /** `provider/model`; null: the session's. */
  model: z.string().nullable(),
});
export type AgentInfo = z.infer<typeof AgentInfo>;
