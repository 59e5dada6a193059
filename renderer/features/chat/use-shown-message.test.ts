import { expect, test } from 'vitest';
import { rowPlace } from './use-shown-message';

test('a message is found by its turn and row, the turn’s own message before all rows', () => {
  const turns = [
    { key: 'from-s3', userKey: null, itemKeys: ['s3', 'e4'] },
    { key: 'u5', userKey: 'u5', itemKeys: ['s6', 's8', 'e9'] },
  ];
  expect(rowPlace(turns, 'e4')).toEqual({ turn: 'from-s3', row: 1 });
  expect(rowPlace(turns, 'u5')).toEqual({ turn: 'u5', row: -1 });
  expect(rowPlace(turns, 's8')).toEqual({ turn: 'u5', row: 1 });
  expect(rowPlace(turns, 'x')).toBeNull();
});
