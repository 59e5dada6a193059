import { z } from 'zod';
import { CallId } from './ids';
import { TodoStatus } from './todo';

/** Limits of a plan; tool, contract and window share them. */
export const PLAN_LIMITS = { steps: 50, stepChars: 2000, titleChars: 200 } as const;

export const PlanStep = z.object({
  text: z.string().min(1).max(PLAN_LIMITS.stepChars),
  status: TodoStatus.default('pending'),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** What the agent proposes to do, as the user sees, edits and builds it. */
export const Plan = z.object({
  /** `plan-1`, `plan-2` … per session. */
  planId: z.string().min(1).max(64),
  title: z.string().min(1).max(PLAN_LIMITS.titleChars),
  steps: z.array(PlanStep).min(1).max(PLAN_LIMITS.steps),
  /** `building` from the moment the user had it built. */
  state: z.enum(['draft', 'building']),
  /** Who wrote it last. */
  by: z.enum(['agent', 'user']),
  /** The call that wrote it last; the window shows the plan there. */
  callId: CallId.nullable(),
});
export type Plan = z.infer<typeof Plan>;

/** The plan as text that can be given to a model or copied. */
export function planText({ title, steps }: Pick<Plan, 'title' | 'steps'>): string {
  const marks = { pending: ' ', in_progress: '>', completed: 'x', cancelled: '-' } as const;
  return [`# ${title}`, ...steps.map((step, i) => `${i + 1}. [${marks[step.status]}] ${step.text}`)].join(
    '\n',
  );
}

/** True while something of the plan is left to do. */
export const isOpenPlan = ({ steps }: Pick<Plan, 'steps'>): boolean =>
  steps.some(({ status }) => status === 'pending' || status === 'in_progress');
