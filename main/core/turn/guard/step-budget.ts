import { BUDGET_SHARES, CLOSING_STEPS } from '../../limits';
import type { Nudge, Refusal, Verdict } from './guard';

/** How many of the last steps are for closing: at least two are left to work in. */
export const closingSteps = (maxSteps: number): number => Math.min(CLOSING_STEPS, Math.max(0, maxSteps - 2));

/** True in the last steps, in which only attempt_completion counts. */
export const isClosing = (step: number, maxSteps: number): boolean =>
  step > maxSteps - closingSteps(maxSteps);

const plural = (count: number): string => (count === 1 ? '1 step is' : `${count} steps are`);

/** Tells the agent how much of its steps is used, and closes the turn in time (H5). Asked before each step. */
export class StepBudget {
  private told = 0;

  constructor(private readonly maxSteps: number) {}

  before(step: number): Verdict | null {
    const nudge = this.nudgeFor(step);
    const closing = isClosing(step, this.maxSteps);
    return nudge === null && !closing
      ? null
      : { ...(nudge === null ? {} : { nudge }), ...(closing ? { refusal: CLOSED } : {}) };
  }

  private nudgeFor(step: number): Nudge | null {
    const used = step - 1;
    const share = BUDGET_SHARES.findLast((each) => used >= each * this.maxSteps) ?? 0;
    const opens = isClosing(step, this.maxSteps) && !isClosing(used, this.maxSteps);
    if (share <= this.told && !opens) return null;
    this.told = Math.max(share, this.told);
    const left = this.maxSteps - used;
    const advice = isClosing(step, this.maxSteps)
      ? 'Only attempt_completion is accepted from here: call it now with what is done and what is not.'
      : 'Bring the work to a state that holds, check it, and finish with attempt_completion.';
    return {
      kind: 'budget',
      notice: `${used} of ${this.maxSteps} steps are used.`,
      reminder: `${used} of ${this.maxSteps} steps are used; ${plural(left)} left. ${advice}`,
    };
  }
}

const CLOSED: Refusal = {
  refuses: ({ tool }) => tool !== 'attempt_completion',
  reason:
    'Not run: the limit of steps is nearly reached. Only attempt_completion is accepted now: say what is done, what is not, and what to do next.',
};
