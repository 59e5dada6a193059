import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createApprovalGate } from '../core/approval/approval-gate';
import { QuestionBoard } from '../core/session/question-board';
import type { PendingApproval } from '../../shared/model/approval';
import type { Io } from './io';
import { answerForNobody, askAtTerminal } from './person';

const approval = (id: string, offered = true): PendingApproval => ({
  id: id as never,
  sessionId: 's' as never,
  turnId: 't' as never,
  callId: 'c' as never,
  tool: 'run_command',
  title: 'Run a command?',
  asker: 'Agent',
  subject: { kind: 'command', command: `make ${id}`, cwd: '/p', parts: [], opaque: false },
  warnings: [],
  danger: false,
  reason: 'No rule allows it.',
  proposedRule: offered ? { action: 'run_command', resource: 'make', effect: 'allow' } : null,
  digest: 'd',
  askedAt: Date.now(),
  expiresAt: Date.now() + 60_000,
});

function setUp() {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  let shown = '';
  stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const io: Io = { stdin, stderr, stdout: new PassThrough(), env: {}, cwd: '/' };
  const approvals = createApprovalGate();
  const questions = new QuestionBoard(() => 60_000, true);
  const core = { approvals, questions };
  const signal = new AbortController();
  const ask = (item: PendingApproval) => approvals.ask(item, signal.signal);
  const shows = (text: string) => expect.poll(() => shown).toContain(text);
  return { core, io, stdin, ask, shows, shown: () => shown, stop: () => signal.abort() };
}

test('approvals are asked one after the other, each with its own command and answer', async () => {
  const { core, io, stdin, ask, shows, shown } = setUp();
  const person = askAtTerminal(core, io);
  const first = ask(approval('one'));
  const second = ask(approval('two'));
  await shows('always (a)');
  expect(shown()).toContain('make one');
  expect(shown()).not.toContain('make two');
  stdin.write('maybe\n');
  await expect.poll(() => shown().split('always (a)')).toHaveLength(3);
  stdin.write('s\n');
  expect(await first).toEqual({ answer: 'allow_session', by: 'user' });
  await shows('make two');
  stdin.write('n\n');
  expect(await second).toEqual({ answer: 'deny', by: 'user' });
  person.close();
});

test('lines typed before a question are no answer to it', async () => {
  const { core, io, stdin, ask, shows } = setUp();
  const person = askAtTerminal(core, io);
  const first = ask(approval('one'));
  await shows('make one');
  stdin.write('y\ny\n');
  expect(await first).toMatchObject({ answer: 'allow_once' });
  let settled = false;
  const second = ask(approval('two')).then((reply) => {
    settled = true;
    return reply;
  });
  await shows('make two');
  expect(settled).toBe(false);
  stdin.write('n\n');
  expect(await second).toMatchObject({ answer: 'deny' });
  person.close();
});

test('the end of input denies what is asked then and later', async () => {
  const { core, io, stdin, ask, shows } = setUp();
  const person = askAtTerminal(core, io);
  const first = ask(approval('one'));
  await shows('make one');
  stdin.end();
  expect(await first).toEqual({ answer: 'deny', by: 'user' });
  expect(await ask(approval('two'))).toEqual({ answer: 'deny', by: 'user' });
  person.close();
});

test('an approval that ends by itself is given up, and the next one is asked', async () => {
  const { core, io, stdin, ask, shows, stop } = setUp();
  const person = askAtTerminal(core, io);
  const first = ask(approval('one'));
  await shows('make one');
  stop();
  expect(await first).toEqual({ answer: 'deny', by: 'stop' });
  const second = core.approvals.ask(approval('two'), new AbortController().signal);
  await shows('make two');
  stdin.write('y\n');
  expect(await second).toEqual({ answer: 'allow_once', by: 'user' });
  person.close();
});

test('a question of the agent is asked with its options, and the line typed is the answer', async () => {
  const { core, io, stdin, shows } = setUp();
  const person = askAtTerminal(core, io);
  const question = {
    questionId: 'q',
    callId: 'c',
    question: 'Which one?',
    options: ['left', 'right'],
  } as never;
  const answer = core.questions.ask(
    { ...(question as object), sessionId: 's', turnId: 't' } as never,
    new AbortController().signal,
  );
  person.onEvent({ ...(question as object), type: 'question.asked', seq: 1, at: 1 } as never);
  await shows('right');
  stdin.write('left\n');
  expect(await answer).toBe('left');
  person.close();
});

test('where nobody is, everything that would wait is denied at once', async () => {
  const { core, ask } = setUp();
  const person = answerForNobody(core);
  expect(await ask(approval('one'))).toEqual({ answer: 'deny', by: 'flag' });
  person.close();
});
