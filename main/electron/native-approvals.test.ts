import { expect, test } from 'vitest';
import type { PendingApproval } from '../../shared/model/approval';
import { PendingApproval as Schema } from '../../shared/model/approval';
import { approvalBox, fitsMessageBox } from './approval-box';
import { NativeApprovals } from './native-approvals';

const approval = (id: string, changes: object = {}): PendingApproval =>
  Schema.parse({
    id,
    sessionId: 'session',
    turnId: 'turn',
    callId: 'call',
    tool: 'run_command',
    title: 'Run a command?',
    asker: 'agent, step 1',
    subject: { kind: 'command', command: 'npm test', cwd: '/p', parts: [], opaque: false },
    warnings: [],
    danger: false,
    reason: 'No rule allows it.',
    proposedRule: { action: 'run_command', resource: 'npm test', effect: 'allow' },
    digest: 'd',
    askedAt: 1,
    expiresAt: 2,
    ...changes,
  });

const command = (text: string, opaque = false) => ({
  subject: { kind: 'command', command: text, cwd: '/p', parts: [], opaque },
});

test('a box shows the whole command, its folder and what a longer grant means; Enter and Esc deny', () => {
  const { options, answerOf } = approvalBox(approval('a'));
  expect(options).toMatchObject({
    message: 'Run a command?',
    buttons: ['Deny', 'Allow once', 'Allow for session', 'Always allow', 'Review…'],
    defaultId: 0,
    cancelId: 0,
  });
  expect(options.detail?.split('\n')).toEqual([
    'npm test',
    '',
    'Folder: /p',
    'Asked by: agent, step 1',
    'Asked because: No rule allows it.',
    'A longer grant allows: run_command npm test',
  ]);
  expect([0, 1, 2, 3, 4, -1, 9].map(answerOf)).toEqual([
    'deny',
    'allow_once',
    'allow_session',
    'allow_always',
    'review',
    'deny',
    'deny',
  ]);
});

test('longer grants are offered only when there is a rule for them', () => {
  expect(approvalBox(approval('a', { proposedRule: null })).options.buttons).toEqual([
    'Deny',
    'Allow once',
    'Review…',
  ]);
});

test.each([
  ['danger', { danger: true }],
  ['a warning', { warnings: ['Deletes files.'] }],
  ['a long command', command('x'.repeat(161))],
  ['two lines', command('a\nb')],
  ['a hidden character', command('rm \u202Etxt')],
  ['a command that can’t be split', command('echo $(a)', true)],
  ['a diff', { subject: { kind: 'write', paths: ['a'], diffs: [] } }],
  ['access outside', { subject: { kind: 'access', path: '/etc', reason: 'r' } }],
])('%s is left to the window', (_name, changes) => {
  expect(fitsMessageBox(approval('a'))).toBe(true);
  expect(fitsMessageBox(approval('a', changes))).toBe(false);
});

interface Shown {
  signal: AbortSignal;
  answer: (response: number | null) => void;
}

function setUp(guardMs = 1000) {
  const shown: Shown[] = [];
  const replies: string[][] = [];
  let clock = 0;
  const approvals = new NativeApprovals({
    show: ({ signal }) =>
      new Promise((resolve) => {
        shown.push({ signal: signal as AbortSignal, answer: resolve });
      }),
    reply: (id, answer) => void replies.push([id, answer]),
    onFailure: () => undefined,
    now: () => (clock += guardMs),
  });
  return { approvals, shown, replies };
}

const idsFor = (approvals: NativeApprovals): string[] => approvals.forWindow().map(({ id }) => id);

test('questions are asked one after the other, and the window is not asked the same', async () => {
  const { approvals, shown, replies } = setUp();
  approvals.update([approval('a'), approval('b'), approval('c', { danger: true })]);
  expect(shown).toHaveLength(1);
  expect(idsFor(approvals)).toEqual(['c']);
  shown[0]?.answer(1);
  await expect.poll(() => shown).toHaveLength(2);
  expect(replies).toEqual([['a', 'allow_once']]);
});

test('a question that is answered elsewhere closes its box, whose own answer counts for nothing', async () => {
  const { approvals, shown, replies } = setUp();
  approvals.update([approval('a')]);
  approvals.update([approval('b')]);
  expect(shown[0]?.signal.aborted).toBe(true);
  shown[0]?.answer(0);
  await expect.poll(() => shown).toHaveLength(2);
  expect(replies).toEqual([]);
});

test('sec-C22: an answer within half a second is not one: the question is asked again', async () => {
  const { approvals, shown, replies } = setUp(499);
  approvals.update([approval('a')]);
  shown[0]?.answer(1);
  await expect.poll(() => shown).toHaveLength(2);
  expect(replies).toEqual([]);
});

test('“Review…” and a missing window hand the question over to the window', async () => {
  const { approvals, shown, replies } = setUp();
  const told: string[][] = [];
  approvals.listen((pending) => told.push(pending.map(({ id }) => id)));
  approvals.update([approval('a'), approval('b')]);
  shown[0]?.answer(4);
  await expect.poll(() => shown).toHaveLength(2);
  expect(idsFor(approvals)).toEqual(['a']);
  shown[1]?.answer(null);
  await expect.poll(() => idsFor(approvals)).toEqual(['a', 'b']);
  expect(told).toEqual([[], ['a'], ['a', 'b']]);
  expect(replies).toEqual([]);
});
