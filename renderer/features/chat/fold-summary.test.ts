import { expect, test } from 'vitest';
import type { CallId } from '../../../shared/model/ids';
import type { CallView } from '../../../shared/model/session-view';
import { deniedWords, foldDuration, foldState, foldSummary, foldTroubles } from './fold-summary';

const call = (tool: string, label: string, rest: Partial<CallView> = {}): CallView => ({
  callId: label as CallId,
  tool,
  label,
  args: {},
  state: 'success',
  output: '',
  outputCut: false,
  diffs: [],
  startedAt: 1000,
  durationMs: 100,
  ...rest,
});

test('calls of one tool become one phrase, single ones keep their own words', () => {
  const calls = [
    call('read_file', 'Read `a.ts`'),
    call('read_file', 'Read `b.ts`'),
    call('read_file', 'Read `c.ts`'),
    call('grep', 'Searched `sleep(` in 2 places'),
  ];
  expect(foldSummary(calls)).toBe('Read 3 files, searched `sleep(` in 2 places');
});

test('failures and denials are counted in the row', () => {
  const calls = [
    call('run_command', 'Ran `npm test`', { state: 'error' }),
    call('run_command', 'Ran `git push`', { state: 'denied' }),
  ];
  expect(foldSummary(calls)).toBe('Ran 2 commands');
  expect(foldTroubles(calls)).toBe('1 failed, 1 denied');
  expect(foldState(calls)).toBe('error');
});

test('two of a kind are told as twice, a tool without words by its labels', () => {
  expect(foldSummary([call('grep', 'Searched `a`'), call('grep', 'Searched `b`')])).toBe('Searched twice');
  expect(foldSummary([call('other', 'API call'), call('other', 'Second call')])).toBe(
    'API call, second call',
  );
});

test('the time of a step spans all of its calls and is unknown while one runs', () => {
  const calls = [call('grep', 'a'), call('grep', 'b', { startedAt: 1500, durationMs: 300 })];
  expect(foldDuration(calls)).toBe(800);
  expect(foldDuration([call('grep', 'a', { durationMs: undefined, state: 'running' })])).toBeNull();
});

test('a denial says who refused', () => {
  expect(deniedWords(call('x', 'x', { by: 'user' }))).toBe('Denied by you');
  expect(deniedWords(call('x', 'x', { by: 'mode' }))).toBe('Not allowed in this mode');
});
