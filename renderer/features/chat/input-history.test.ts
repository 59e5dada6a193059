import { expect, test } from 'vitest';
import {
  addEntry,
  emptyHistory,
  historyKey,
  historyPlace,
  historyText,
  newerEntry,
  olderEntry,
  type HistoryState,
} from './input-history';

const state: HistoryState = { ...emptyHistory, entries: ['one', 'two', 'three'] };

test('Up walks back, Down forward, and the draft comes back at the end', () => {
  const first = olderEntry(state, 'draft') as HistoryState;
  expect([historyText(first), historyPlace(first)]).toEqual(['three', 'hist 3/3']);
  const second = olderEntry(first, 'three') as HistoryState;
  expect([historyText(second), historyPlace(second)]).toEqual(['two', 'hist 2/3']);
  const back = newerEntry(newerEntry(second) as HistoryState) as HistoryState;
  expect([historyText(back), historyPlace(back)]).toEqual(['draft', null]);
  expect(newerEntry(back)).toBeNull();
});

test('the oldest entry is the end of the way back', () => {
  const oldest = { ...state, at: 2 };
  expect(historyText(oldest)).toBe('one');
  expect(olderEntry(oldest, 'one')).toBeNull();
});

test('a repeated message moves to the end, blank and huge ones are not kept', () => {
  expect(addEntry(state.entries, 'one')).toEqual(['two', 'three', 'one']);
  expect(addEntry(state.entries, '  ')).toBe(state.entries);
  expect(addEntry(state.entries, 'x'.repeat(3000))).toBe(state.entries);
  expect(
    addEntry(
      Array.from({ length: 100 }, (_, n) => `${n}`),
      'new',
    ),
  ).toHaveLength(100);
});

test('Up enters the history at the very start only; inside it any first line does', () => {
  expect(historyKey('ArrowUp', { text: 'abc', start: 0, end: 0 }, false)).toBe('older');
  expect(historyKey('ArrowUp', { text: 'abc', start: 3, end: 3 }, false)).toBeNull();
  expect(historyKey('ArrowUp', { text: 'abc', start: 3, end: 3 }, true)).toBe('older');
  expect(historyKey('ArrowUp', { text: 'a\nb', start: 3, end: 3 }, true)).toBeNull();
  expect(historyKey('ArrowDown', { text: 'a\nb', start: 0, end: 0 }, true)).toBeNull();
  expect(historyKey('ArrowDown', { text: 'abc', start: 0, end: 0 }, false)).toBeNull();
});
