import { expect, test } from 'vitest';
import { stepsToText, textToSteps } from './plan-text';

const steps = [
  { text: 'Find the uses', status: 'completed' as const },
  { text: 'Rename them\nin one go', status: 'pending' as const },
];

test('a plan that is not edited comes back as it was', () => {
  expect(textToSteps(stepsToText(steps), steps)).toEqual(steps);
});

test('a changed step starts anew, others keep their status; numbers and blank lines are no part of a step', () => {
  expect(textToSteps('1. Find the uses\n\n- Rename all of them\n', steps)).toEqual([
    { text: 'Find the uses', status: 'completed' },
    { text: 'Rename all of them', status: 'pending' },
  ]);
  expect(textToSteps('  \n', steps)).toEqual([]);
});
