import { expect, test } from 'vitest';
import { CallView } from '../../../shared/model/session-view';
import { isTaskLive, taskFacts, taskState } from './task-words';

const call = CallView.parse({
  ...{ callId: 'c', tool: 'task', label: 'x', args: {}, state: 'success', output: '', outputCut: false },
  ...{ diffs: [], startedAt: 1 },
});
const child = (activity: 'idle' | 'running' | 'waiting' | 'failed', lastFact: string) => ({
  ...{ activity, lastFact, costMicros: 4_200, spentTokens: 12_000 },
});

test('a background call shows what its subagent does, not that the call itself has ended', () => {
  expect(taskState(call, child('running', 'step 3 of at most 15'))).toBe('running');
  expect(taskState(call, child('waiting', 'Run a command?'))).toBe('awaiting_approval');
  expect(taskState(call, child('failed', 'no'))).toBe('error');
  expect(taskState(call, child('idle', 'queued'))).toBe('validating');
  expect(taskState(call, child('idle', 'Found it.'))).toBe('success');
  expect(taskState(call, child('idle', 'stopped by you'))).toBe('cancelled');
  expect(taskState(call, undefined)).toBe('success');
});

test('step and cost are shown live; an ended subagent shows what it took', () => {
  expect(taskFacts(child('running', 'step 3 of at most 15'))).toBe(
    'step 3 of at most 15 · 12k tokens · $0.0042',
  );
  expect(taskFacts(child('idle', 'Found it.'))).toBe('12k tokens · $0.0042');
  expect(isTaskLive(child('idle', 'queued'))).toBe(true);
});
