import { expect, test } from 'vitest';
import { TurnEvidence } from '../receipt/evidence';
import { GoalVerifier } from './goal-verifier';

const verifier = (changes: Partial<ConstructorParameters<typeof GoalVerifier>[0]> = {}) =>
  new GoalVerifier({ wantsChange: () => true, evidence: new TurnEvidence(), todos: () => [], ...changes });

test('H6: sent back with the reason at most twice, then accepted with a warning', () => {
  const guard = verifier();
  const verdicts = [1, 2, 3].map(() => guard.review('I fixed `a.ts`.', false));
  expect(verdicts[0]).toMatchObject({ sendBack: expect.stringContaining('I fixed `a.ts`.') as string });
  expect(verdicts[1]).toHaveProperty('sendBack');
  expect(verdicts[2]).toMatchObject({ tell: { kind: 'goal_no_change', tone: 'warn' } });
  expect(verdicts[2]).not.toHaveProperty('sendBack');
});

test('H6: in the last steps it is accepted with the warning, since nothing can be done any more', () => {
  expect(verifier().review('Done.', true)).toEqual({
    tell: expect.objectContaining({ kind: 'goal_no_change', tone: 'warn' }) as object,
  });
});

test('H6: no change asked for, a change made, or one that may have been made by a command: accepted', () => {
  expect(verifier({ wantsChange: () => false }).review('Done.', false)).toBeNull();
  const evidence = new TurnEvidence();
  const callId = 'c' as never;
  evidence.note({
    type: 'call.requested',
    callId,
    messageId: 'm' as never,
    tool: 'run_command',
    args: { command: 'git mv a b' },
    label: '',
  });
  evidence.note({
    type: 'call.state',
    callId,
    tool: 'run_command',
    state: 'success',
    result: { text: '', exitCode: 0 },
  });
  expect(verifier({ evidence }).review('Done.', false)).toBeNull();
});

test('H6: both reasons share the two times', () => {
  const open = [{ id: '1', content: 'x', status: 'pending' as const }];
  let wants = true;
  const guard = verifier({ wantsChange: () => wants, todos: () => open });
  expect(guard.review('Done.', false)).toMatchObject({
    sendBack: expect.stringContaining('no edit') as string,
  });
  wants = false;
  expect(guard.review('Done.', false)).toMatchObject({
    sendBack: expect.stringContaining('1 to-do item is open') as string,
  });
  expect(guard.review('Done.', false)).toMatchObject({ tell: { kind: 'goal_open_todos' } });
});
