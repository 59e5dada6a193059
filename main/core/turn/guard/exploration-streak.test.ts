import { expect, test } from 'vitest';
import { call, times, watch } from '../testing/steps';
import { ExplorationStreak } from './exploration-streak';

const read = (at: number) => call('read_file', { path: String(at) });

test('H4: ten read-only steps without an edit are told once when a change was asked for', () => {
  const said = watch(new ExplorationStreak(() => true), times(25, read));
  expect([...said.keys()]).toEqual([10]);
  expect(said.get(10)?.nudge?.kind).toBe('exploration_streak');
});

test('H4: an edit or a command ends the streak; the next one is told again', () => {
  const calls = [...times(9, read), call('edit_file'), ...times(10, read)];
  expect([...watch(new ExplorationStreak(() => true), calls).keys()]).toEqual([20]);
});

test('H4: who only asked a question may read as long as they like', () => {
  expect(watch(new ExplorationStreak(() => false), times(30, read)).size).toBe(0);
});
