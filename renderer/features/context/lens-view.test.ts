import { expect, test } from 'vitest';
import type { ContextItem } from '../../../shared/contract/context';
import { actionForKey, barOf, filterItems, nextIndex, stretches } from './lens-view';

const item = (facts: Partial<ContextItem>): ContextItem => ({
  ...{ id: 'i', kind: 'user', title: 't', tokens: 10, fullTokens: 10, state: 'whole', actions: [] },
  ...facts,
});

test('items are found by kind, by what was done to them and by words of their title', () => {
  const items = [
    item({ id: 'a', title: 'Fix the parser' }),
    item({ id: 'b', kind: 'result', title: 'Read parser.ts', state: 'shrunk' }),
    item({ id: 'c', kind: 'result', title: 'Read lexer.ts', state: 'pinned' }),
  ];
  const ids = (...of: Parameters<typeof filterItems>): string[] => filterItems(...of).map(({ id }) => id);
  expect(ids(items, 'all', '')).toEqual(['a', 'b', 'c']);
  expect(ids(items, 'messages', '')).toEqual(['a']);
  expect(ids(items, 'results', 'PARSER read')).toEqual(['b']);
  expect(ids(items, 'pinned', '')).toEqual(['c']);
  expect(ids(items, 'changed', '')).toEqual(['b']);
});

test('the bar tells what fills the window and leaves out what is empty', () => {
  const items = [
    item({ kind: 'part', tokens: 100 }),
    item({ tokens: 40 }),
    item({ kind: 'note', tokens: 10 }),
  ];
  expect(
    stretches({ items, window: 1_000 }).map(({ kind, tokens, percent }) => [kind, tokens, percent]),
  ).toEqual([
    ['parts', 100, 10],
    ['user', 50, 5],
  ]);
});

test('an item’s bars are shares of the largest one, and something small stays visible', () => {
  expect(barOf(item({ tokens: 50, fullTokens: 100 }), 100)).toEqual({ sent: 50, whole: 100 });
  expect(barOf(item({ tokens: 1, fullTokens: 1 }), 10_000)).toEqual({ sent: 1, whole: 1 });
  expect(barOf(item({ tokens: 0, fullTokens: 5 }), 10)).toEqual({ sent: 0, whole: 50 });
});

test('keys do what the item allows', () => {
  expect(actionForKey('p', item({ actions: ['unpin'] }))).toBe('unpin');
  expect(actionForKey('p', item({ actions: ['pin', 'evict'] }))).toBe('pin');
  expect(actionForKey('x', item({ actions: ['pin'] }))).toBeNull();
  expect(nextIndex('ArrowDown', 0, 3)).toBe(1);
  expect(nextIndex('ArrowUp', 0, 3)).toBe(0);
  expect(nextIndex('End', 0, 3)).toBe(2);
  expect(nextIndex('a', 0, 3)).toBeNull();
});
