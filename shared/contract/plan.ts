import { z } from 'zod';
import { SessionId, TurnId } from '../model/ids';
import { Plan, PLAN_LIMITS, PlanStep } from '../model/plan';
import { domain, request } from './define';

const PlanAddress = z.object({ sessionId: SessionId, planId: z.string().min(1).max(64) });

export const plan = domain('plan', {
  /** The user's version of a plan; the agent is told. `busy` while a turn runs. */
  edit: request({
    input: PlanAddress.extend({
      title: z.string().min(1).max(PLAN_LIMITS.titleChars),
      steps: z.array(PlanStep).min(1).max(PLAN_LIMITS.steps),
    }),
    output: Plan,
  }),
  /** Goes over to agent mode and starts a turn with the plan as its request. */
  build: request({ input: PlanAddress, output: z.object({ turnId: TurnId }) }),
});
