import { expect, test } from 'vitest';
import { formatMoney } from './money';

test('money is shown as exactly as its size needs', () => {
  expect([0, 40, 4_200, 371_000, 12_400_000].map(formatMoney)).toEqual([
    '$0',
    '<$0.0001',
    '$0.0042',
    '$0.37',
    '$12.40',
  ]);
});
