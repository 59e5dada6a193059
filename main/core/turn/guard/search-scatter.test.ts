import { expect, test } from 'vitest';
import { call, times, watch } from '../testing/steps';
import { SearchScatter } from './search-scatter';

const search = (at: number) => call(at % 2 === 0 ? 'grep' : 'glob', { pattern: String(at) });

test('H4: six searches in a row without a read are told once per streak', () => {
  const calls = [...times(9, search), call('read_file'), ...times(6, search)];
  const said = watch(new SearchScatter(), calls);
  expect([...said.keys()]).toEqual([6, 16]);
  expect(said.get(6)?.nudge?.kind).toBe('search_scatter');
});

test('H4: the to-do list does not end a streak, a read does', () => {
  expect(watch(new SearchScatter(), [...times(5, search), call('todo'), search(9)]).size).toBe(1);
  expect(watch(new SearchScatter(), [...times(5, search), call('read_file'), ...times(5, search)]).size).toBe(
    0,
  );
});
