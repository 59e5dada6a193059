import { expect, test } from 'vitest';
import { call, times, watch } from '../testing/steps';
import { EditMisses } from './edit-misses';

const miss = (at: number) =>
  call('edit_file', { path: 'a', old_string: String(at) }, { state: 'error', errorReason: 'no_match' });

test('H4: three edits in a row that miss are told once, also with reads in between', () => {
  const said = watch(new EditMisses(), [miss(1), call('read_file'), miss(2), miss(3), miss(4)]);
  expect([...said.keys()]).toEqual([4]);
  expect(said.get(4)?.nudge?.kind).toBe('edit_no_match');
});

test('H4: an edit that works ends the streak', () => {
  const worked = call('edit_file', {}, { changedFiles: 1 });
  expect(watch(new EditMisses(), [miss(1), miss(2), worked, miss(3), miss(4)]).size).toBe(0);
  expect(watch(new EditMisses(), [...times(3, miss), worked, ...times(3, miss)]).size).toBe(2);
});
