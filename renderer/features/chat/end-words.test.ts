import { expect, test } from 'vitest';
import type { ErrorCode } from '../../../shared/error';
import type { TurnId } from '../../../shared/model/ids';
import { endWords, retryWords, type EndItem } from './end-words';

const end = (rest: Partial<EndItem>): EndItem => ({
  kind: 'end',
  key: 'e1',
  turnId: 't' as TurnId,
  at: 0,
  reason: 'done',
  steps: 4,
  durationMs: 47_000,
  ...rest,
});
const failed = (code: ErrorCode, steps = 4): EndItem =>
  end({
    reason: 'error',
    steps,
    error: { code, message: 'What happened.', hint: 'What to do.', audience: 'user' },
  });

test('a finished turn is one quiet line', () => {
  expect(endWords(end({}))).toMatchObject({ tone: 'done', title: '4 steps, 47 s', actions: [] });
});

test('a failure says what happened, what was kept and what to do', () => {
  expect(endWords(failed('provider_unreachable'))).toEqual({
    tone: 'error',
    title: 'What happened.',
    kept: 'All that was done in 4 steps is kept.',
    hint: 'What to do.',
    actions: ['retry', 'continue'],
  });
});

test('a refused key leads to the settings, a missing model to the choice of one', () => {
  expect(endWords(failed('provider_auth', 0)).actions).toEqual(['settings', 'retry']);
  expect(endWords(failed('no_model', 0)).actions).toEqual(['model']);
});

test('a stop and the step limit can be continued', () => {
  expect(endWords(end({ reason: 'stopped' })).actions).toEqual(['continue']);
  expect(endWords(end({ reason: 'step_limit', steps: 100 })).title).toContain('100 steps');
});

test('a retry counts down in whole seconds', () => {
  expect(retryWords(8000, 100)).toBe('Next try in 8 s.');
  expect(retryWords(8000, 8000)).toBe('Tried again.');
});
