import { expect, test } from 'vitest';
import { parseBudget } from './budget-part';

test('a budget is typed in dollars; empty is no limit', () => {
  expect([' 1.5 ', '$2', '0,25', '', '0'].map(parseBudget)).toEqual([1_500_000, 2_000_000, 250_000, 0, 0]);
  expect(['-1', 'much', '1e9'].map(parseBudget)).toEqual([null, null, null]);
});
