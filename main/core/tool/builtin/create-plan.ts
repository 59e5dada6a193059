import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import type { CallId } from '../../../../shared/model/ids';
import { PLAN_LIMITS, planText, type Plan, type PlanStep } from '../../../../shared/model/plan';
import { TodoStatus } from '../../../../shared/model/todo';
import { defineTool } from '../define';

/** Plans of one session; more is a sign that one should have been changed. */
const MAX_PLANS = 20;

const Step = z.union([
  z.string().min(1).max(PLAN_LIMITS.stepChars),
  z.object({ text: z.string().min(1).max(PLAN_LIMITS.stepChars), status: TodoStatus.optional() }),
]);

const step = (given: z.output<typeof Step>): PlanStep =>
  typeof given === 'string'
    ? { text: given, status: 'pending' }
    : { text: given.text, status: given.status ?? 'pending' };

const refuse = (message: string, hint: string): AppError =>
  new AppError('bad_argument', message, { audience: 'model', hint });

/** The plan that a call changes; null for a new one. */
function known(plans: readonly Plan[], planId: string | undefined): Plan | null {
  if (planId === undefined) return null;
  const found = plans.find((plan) => plan.planId === planId);
  if (found) return found;
  const ids = plans.map((plan) => plan.planId).join(', ');
  throw refuse(`There is no plan \`${planId}\`.`, ids === '' ? 'Leave plan_id out.' : `There are: ${ids}.`);
}

export const createPlan = defineTool({
  name: 'create_plan',
  effect: 'interact',
  describe:
    `Show the user a plan of at most ${PLAN_LIMITS.steps} steps that they can edit and have built. With plan_id, replace ` +
    'that plan or mark its steps.',
  input: z.object({
    title: z.string().min(1).max(PLAN_LIMITS.titleChars),
    steps: z.array(Step).min(1).max(PLAN_LIMITS.steps),
    plan_id: z.string().max(64).optional(),
  }),
  modes: ['agent', 'plan'],
  subject: () => ({ paths: [] }),
  label: ({ title, plan_id }) =>
    `${plan_id === undefined ? 'Wrote' : 'Changed'} the plan “${title.replace(/\s+/g, ' ').slice(0, 60)}”`,
  run: async ({ title, steps, plan_id }, { plans, callId }) => {
    const all = plans.read();
    const before = known(all, plan_id);
    if (!before && all.length >= MAX_PLANS)
      throw refuse(`There are ${MAX_PLANS} plans already.`, 'Change one of them with plan_id.');
    const plan: Plan = {
      planId: before?.planId ?? `plan-${all.length + 1}`,
      title,
      steps: steps.map(step),
      state: before?.state ?? 'draft',
      by: 'agent',
      callId: callId as CallId,
    };
    await plans.write(plan);
    return { text: `${plan.planId} is shown to the user:\n${planText(plan)}` };
  },
});
