import type { Nudge, Refusal, Verdict } from './guard';

export interface Rungs {
  nudge: number;
  refuse: number;
  stop: number;
}

/**
 * What a count that grew from `before` to `after` leads to: a nudge, then the calls refused for a step, then the end. Each
 * rung acts once per streak, when it is reached.
 */
export function climb(
  rungs: Rungs,
  before: number,
  after: number,
  words: { nudge: Nudge; refusal: Refusal; stop: string },
): Verdict | null {
  const reached = (rung: number): boolean => before < rung && after >= rung;
  if (reached(rungs.stop)) return { stop: words.stop };
  if (reached(rungs.refuse)) return { refusal: words.refusal };
  if (reached(rungs.nudge)) return { nudge: words.nudge };
  return null;
}
