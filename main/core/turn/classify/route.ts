import type { Classification } from '../../../../shared/model/classification';
import { FLAGSHIP_AFTER_ERRORS } from '../../limits';
import type { ModelWish } from '../../model/port';

/**
 * Which kind of model a step should run on (H14, "auto"): a fast one for what is simple, the strongest one for what is
 * complex or goes wrong, else the main one.
 *
 * @param toolErrors calls that failed in this turn so far
 */
export function wishFor(classification: Classification | null, toolErrors: number): ModelWish {
  if (toolErrors >= FLAGSHIP_AFTER_ERRORS)
    return { tier: 'flagship', why: `after ${toolErrors} failed calls` };
  if (classification === null) return { tier: 'main', why: 'not classified' };
  const { complexity, needsFlagship } = classification;
  if (needsFlagship) return { tier: 'flagship', why: 'a complex request' };
  if (complexity === 'simple') return { tier: 'fast', why: 'a simple request' };
  return { tier: 'main', why: `a request of ${complexity} size` };
}
