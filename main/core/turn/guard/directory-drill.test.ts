import { expect, test } from 'vitest';
import { call, times, watch } from '../testing/steps';
import { DirectoryDrill } from './directory-drill';

const list = (at: number) => call('list_dir', { path: `a${'/b'.repeat(at)}` });

test('H4: walking the tree folder by folder is told once per streak', () => {
  const said = watch(new DirectoryDrill(), [...times(7, list), call('grep'), ...times(4, list)]);
  expect([...said.keys()]).toEqual([4, 12]);
  expect(said.get(4)?.nudge?.kind).toBe('directory_drill');
});

test('H4: many folders in one reply are one look', () => {
  expect(watch(new DirectoryDrill(), [times(12, list), call('read_file')]).size).toBe(0);
});
