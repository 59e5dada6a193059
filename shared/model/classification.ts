import { z } from 'zod';

export const GoalKind = z.enum(['code_change', 'analysis', 'research', 'meta']);
export type GoalKind = z.infer<typeof GoalKind>;

export const EditScope = z.enum(['none', 'single_line', 'single_file', 'multi_file', 'bulk']);
export type EditScope = z.infer<typeof EditScope>;

export const Complexity = z.enum(['simple', 'medium', 'complex']);
export type Complexity = z.infer<typeof Complexity>;

/** What a request of the user is (H14). It drives tool choice and model routing and never decides what is allowed. */
export const Classification = z.object({
  /** Files should change; this project is looked into; knowledge from outside is asked for; talk about the talk. */
  goalKind: GoalKind,
  /** Asks for something to be done with tools, as against a question or talk. */
  isActionable: z.boolean(),
  editScope: EditScope,
  complexity: Complexity,
  needsShell: z.boolean(),
  /** Can be answered without any tool. */
  chatOnly: z.boolean(),
  /** Only makes sense with what was said before. */
  isFollowUp: z.boolean(),
  expectsMultiStep: z.boolean(),
  needsFlagship: z.boolean(),
  /** 0 to 1. */
  confidence: z.number().min(0).max(1),
});
export type Classification = z.infer<typeof Classification>;
