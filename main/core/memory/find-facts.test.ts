import { expect, test } from 'vitest';
import { readFacts } from './find-facts';

test('X5: facts are taken only from exactly the JSON that was asked for', () => {
  expect(readFacts('{"facts": ["Use pnpm", " Tests need Redis "]}')).toEqual([
    'Use pnpm',
    'Tests need Redis',
  ]);
  expect(readFacts('```json\n{"facts": []}\n```')).toEqual([]);
  for (const bad of [
    'Use pnpm',
    '{"facts": "Use pnpm"}',
    '{"facts": [1]}',
    '{"facts": ["a"], "more": 1}',
    '{"facts": ["a"',
    `{"facts": ["${'x'.repeat(301)}"]}`,
    JSON.stringify({ facts: Array.from({ length: 9 }, (_, n) => `fact ${n}`) }),
  ])
    expect(readFacts(bad)).toEqual([]);
});
