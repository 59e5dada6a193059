import { expect, test } from 'vitest';
import { call, times } from '../testing/steps';
import { closingSteps, StepBudget } from './step-budget';

function told(maxSteps: number): Map<number, string> {
  const budget = new StepBudget(maxSteps);
  const nudges = times(maxSteps, (at) => [at + 1, budget.before(at + 1)?.nudge?.notice] as const);
  return new Map(nudges.flatMap(([step, notice]) => (notice === undefined ? [] : [[step, notice] as const])));
}

test.each([
  [100, [76, 91, 96, 99]],
  [20, [16, 19, 20]],
  [15, [13, 14, 15]],
  [5, [4, 5]],
  [4, [3, 4]],
  [2, []],
  [1, []],
])('H5: with a cap of %i the agent is told before steps %j', (cap, steps) => {
  expect([...told(cap).keys()]).toEqual(steps);
});

test('H5: the shares 75, 90 and 95 % are each told once, with the numbers', () => {
  expect([...told(100).values()].slice(0, 3)).toEqual([
    '75 of 100 steps are used.',
    '90 of 100 steps are used.',
    '95 of 100 steps are used.',
  ]);
  expect(told(100).size).toBe(4);
});

test('H5: in the last two steps everything but attempt_completion is refused', () => {
  const budget = new StepBudget(20);
  const verdicts = times(20, (at) => budget.before(at + 1));
  expect(verdicts.slice(0, 18).every((verdict) => verdict?.refusal === undefined)).toBe(true);
  for (const verdict of verdicts.slice(18)) {
    expect(verdict?.refusal?.refuses(call('read_file'))).toBe(true);
    expect(verdict?.refusal?.refuses(call('attempt_completion'))).toBe(false);
  }
});

test('H5: small caps keep two steps to work in', () => {
  expect([1, 2, 3, 4, 5, 100].map((cap) => closingSteps(cap))).toEqual([0, 0, 1, 2, 2, 2]);
});
