import { expect, test } from 'vitest';
import { moveGuesses, removedRoot } from './moved-files';

const created = (path: string) => ({ path, change: 'created' as const });
const removed = (path: string) => ({ path, change: 'removed' as const });

test('case-D12: a renamed folder takes its open files along', () => {
  const changes = [removed('src/web'), created('src/hooks')];
  expect(removedRoot('src/web/a.ts', changes)).toBe('src/web');
  expect(moveGuesses('src/web/a.ts', changes)).toEqual([
    { from: 'src/web', to: 'src/hooks', path: 'src/hooks/a.ts' },
  ]);
});

test('case-D12: of several new files the one of the same name is looked at first', () => {
  const changes = [removed('a.ts'), created('b.ts'), created('lib/A.ts')];
  expect(moveGuesses('a.ts', changes).map(({ path }) => path)).toEqual(['lib/A.ts', 'b.ts']);
});

test('a file that nothing happened to has no removed root', () => {
  expect(removedRoot('src/web2/a.ts', [removed('src/web')])).toBeNull();
});
