import { expect, test } from 'vitest';
import { call, times, watch } from '../testing/steps';
import { CallCycle } from './call-cycle';

const round = (length: number, rounds: number) =>
  times(length * rounds, (at) => call('read_file', { path: `${at % length}.ts` }));

test.each([
  [2, [4, 6, 8]],
  [3, [3, 4, 6]],
  [4, [3, 4, 5]],
])('a cycle of %i calls with equal results is nudged, refused and stopped', (length, rounds) => {
  const said = watch(new CallCycle(), round(length, 10));
  const steps = [...said.keys()].slice(0, 3);
  expect(steps).toEqual(rounds.map((count) => count * length));
  const [nudged, refused, stopped] = steps.map((step) => said.get(step));
  expect(nudged?.nudge?.kind).toBe('call_cycle');
  for (let at = 0; at < length; at += 1) {
    expect(refused?.refusal?.refuses(call('read_file', { path: `${at}.ts` }))).toBe(true);
  }
  expect(refused?.refusal?.refuses(call('read_file', { path: 'other.ts' }))).toBe(false);
  expect(stopped?.stop).toContain('circle');
});

test('a cycle in which one result changes is progress', () => {
  const calls = times(60, (at) =>
    at % 2 === 0
      ? call('run_command', { command: 'sleep 5' })
      : call('run_command', { command: 'ci' }, { result: `${at}` }),
  );
  expect(watch(new CallCycle(), calls).size).toBe(0);
});

test('edit and test in turns is work: the edits differ', () => {
  const calls = times(40, (at) =>
    at % 2 === 0
      ? call('edit_file', { path: 'a', old_string: String(at) })
      : call('run_command', { command: 'npm test' }),
  );
  expect(watch(new CallCycle(), calls).size).toBe(0);
});

test('one call over and over is the other guard’s: it is told once', () => {
  const calls = times(30, () => call('grep'));
  expect(watch(new CallCycle(), calls).size).toBe(0);
});
