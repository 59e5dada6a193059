import { z } from 'zod';

/** What the agent may do: everything with approval, read and plan, or read and answer. */
export const Mode = z.enum(['agent', 'plan', 'ask']);
export type Mode = z.infer<typeof Mode>;
