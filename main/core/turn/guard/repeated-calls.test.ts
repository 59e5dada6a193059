import { expect, test } from 'vitest';
import { call, times, watch } from '../testing/steps';
import { RepeatedCalls } from './repeated-calls';

test('H3: eight identical calls in a row give one nudge, twelve a refusal for a step, sixteen end the turn', () => {
  const said = watch(
    new RepeatedCalls(),
    times(16, () => call('grep', { pattern: 'x' })),
  );
  expect([...said.keys()]).toEqual([8, 12, 16]);
  expect(said.get(8)?.nudge?.kind).toBe('repeated_calls');
  expect(said.get(8)?.nudge?.reminder).toContain('grep {"pattern":"x"}');
  expect(said.get(12)?.refusal?.refuses(call('grep', { pattern: 'x' }))).toBe(true);
  expect(said.get(12)?.refusal?.refuses(call('grep', { pattern: 'y' }))).toBe(false);
  expect(said.get(16)?.stop).toContain('16 times');
});

test('H3: calls of one reply count like calls of many', () => {
  const said = watch(new RepeatedCalls(), [times(16, () => call('list_dir'))]);
  expect(said.get(1)?.stop).toBeDefined();
});

test('H3: any other call in between begins the count anew', () => {
  const calls = times(40, (at) => (at % 7 === 6 ? call('read_file', { path: String(at) }) : call('grep')));
  expect(watch(new RepeatedCalls(), calls).size).toBe(0);
});

test('a call whose result keeps changing polls something and is no loop', () => {
  const calls = times(60, (at) => call('run_command', { command: 'status' }, { result: `${at} %` }));
  expect(watch(new RepeatedCalls(), calls).size).toBe(0);
});

test('one change, from written to unchanged, does not hide a loop', () => {
  const calls = times(16, (at) =>
    call('write_file', { path: 'a' }, { result: at === 0 ? 'created' : 'unchanged' }),
  );
  expect([...watch(new RepeatedCalls(), calls).keys()]).toEqual([8, 12, 16]);
});

test('what a guard refused counts as a try and not as a changed result', () => {
  const calls = times(16, (at) => call('grep', {}, at === 12 ? { refused: true, result: 'refused' } : {}));
  expect(watch(new RepeatedCalls(), calls).get(16)?.stop).toBeDefined();
});
