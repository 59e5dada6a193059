import { READ_ONLY_STEPS } from '../../limits';
import { isHousekeeping, type Guard, type StepFacts, type Verdict } from './guard';

/** Reading on and on when a change was asked for (H4). */
export class ExplorationStreak implements Guard {
  private count = 0;

  /** @param wantsChange whether the user asked for a change, at this moment */
  constructor(private readonly wantsChange: () => boolean) {}

  observe({ calls }: StepFacts): Verdict | null {
    const work = calls.filter((call) => !isHousekeeping(call));
    if (work.length === 0) return null;
    this.count = work.every((call) => call.effect === 'read') ? this.count + 1 : 0;
    if (this.count !== READ_ONLY_STEPS || !this.wantsChange()) return null;
    return {
      nudge: {
        kind: 'exploration_streak',
        notice: `${this.count} steps of reading without an edit; the agent was told.`,
        reminder: `You have read for ${this.count} steps without changing anything, and the user asked for a change. You have enough to begin: make the first edit now, or say what is in the way.`,
      },
    };
  }
}
