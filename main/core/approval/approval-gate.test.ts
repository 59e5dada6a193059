import { expect, test, vi } from 'vitest';
import { createApprovalGate } from './approval-gate';
import { buildApproval, type ApprovalFacts } from './build-approval';
import { approvalDigest } from './digest';
import type { PolicyDecision } from './types';

const decision: PolicyDecision = {
  verdict: 'ask',
  by: 'policy',
  reason: 'No rule allows this command, so it asks.',
  parts: [{ text: 'npm test', verdict: 'ask', reason: 'No rule.' }],
  opaque: false,
  danger: false,
  warnings: [],
  proposedRule: { action: 'run_command', resource: 'npm test', effect: 'allow' },
  grantId: null,
};

function approval(facts: Partial<ApprovalFacts> = {}) {
  return buildApproval({
    sessionId: 's',
    turnId: 't',
    callId: 'c',
    tool: 'run_command',
    asker: 'agent, step 1',
    subject: { kind: 'command', command: 'npm test', cwd: '/w', parts: [], opaque: true },
    decision,
    digest: 'd',
    now: Date.now(),
    timeoutMs: 60_000,
    ...facts,
  });
}

const open = () => new AbortController().signal;

test('sec-0: two pending prompts of one session are independent', async () => {
  const gate = createApprovalGate();
  const [first, second] = [approval(), approval()];
  const answers = [gate.ask(first, open()), gate.ask(second, open())];
  expect(gate.pending()).toEqual([first, second]);
  expect(gate.reply(second.id, 'allow_once', 'user')).toBe(true);
  expect(await answers[1]).toEqual({ answer: 'allow_once', by: 'user' });
  expect(gate.pending()).toEqual([first]);
  expect(gate.reply(first.id, 'deny', 'user')).toBe(true);
  expect(await answers[0]).toEqual({ answer: 'deny', by: 'user' });
});

test('sec-0: after an approval, a later prompt that times out is a denial', async () => {
  const gate = createApprovalGate();
  const first = approval();
  const answer = gate.ask(first, open());
  gate.reply(first.id, 'allow_once', 'user');
  await answer;
  expect(await gate.ask(approval({ timeoutMs: 10 }), open())).toEqual({ answer: 'deny', by: 'timeout' });
});

test('case-P1: a late, repeated or unknown answer changes nothing', async () => {
  const gate = createApprovalGate();
  const changes = vi.fn();
  const asked = approval();
  const answer = gate.ask(asked, open());
  expect(gate.reply(asked.id, 'deny', 'user')).toBe(true);
  gate.onChange(changes);
  expect(gate.reply(asked.id, 'allow_once', 'user')).toBe(false);
  expect(gate.reply('unknown', 'allow_once', 'user')).toBe(false);
  expect(await answer).toEqual({ answer: 'deny', by: 'user' });
  const late = approval({ timeoutMs: 1 });
  const lateAnswer = gate.ask(late, open());
  expect(await lateAnswer).toEqual({ answer: 'deny', by: 'timeout' });
  expect(gate.reply(late.id, 'allow_once', 'user')).toBe(false);
  expect(changes).toHaveBeenCalledTimes(2);
});

test('stopping the turn denies what waits and what comes after', async () => {
  const gate = createApprovalGate();
  const stop = new AbortController();
  const answer = gate.ask(approval(), stop.signal);
  stop.abort();
  expect(await answer).toEqual({ answer: 'deny', by: 'stop' });
  expect(await gate.ask(approval(), stop.signal)).toEqual({ answer: 'deny', by: 'stop' });
  expect(gate.pending()).toEqual([]);
});

test('what may be allowed only once cannot be answered with more', async () => {
  const gate = createApprovalGate();
  const asked = approval({ decision: { ...decision, proposedRule: null } });
  const answer = gate.ask(asked, open());
  expect(gate.reply(asked.id, 'allow_always', 'user')).toBe(false);
  expect(gate.reply(asked.id, 'allow_once', 'user')).toBe(true);
  expect((await answer).answer).toBe('allow_once');
});

test('listeners see each change, and no more after they left', async () => {
  const gate = createApprovalGate();
  const seen: number[] = [];
  const leave = gate.onChange((pending) => seen.push(pending.length));
  const asked = approval();
  const answer = gate.ask(asked, open());
  gate.reply(asked.id, 'deny', 'user');
  await answer;
  leave();
  void gate.ask(approval({ timeoutMs: 5 }), open());
  expect(seen).toEqual([1, 0]);
});

test('sec-C23: the digest is that of the values, whatever their order, and differs for any change', () => {
  const base = { tool: 'run_command', args: { command: 'ls', cwd: 'a' }, cwd: '/w/a', env: { A: '1' } };
  const same = { tool: 'run_command', args: { cwd: 'a', command: 'ls' }, cwd: '/w/a', env: { A: '1' } };
  expect(approvalDigest(same)).toBe(approvalDigest(base));
  const others = [
    { ...base, tool: 'x' },
    { ...base, args: { command: 'ls -l', cwd: 'a' } },
    { ...base, cwd: '/w' },
    { ...base, env: { A: '2' } },
    { ...base, args: { command: ['ls'], cwd: 'a' } },
  ];
  expect(new Set([base, ...others].map(approvalDigest)).size).toBe(6);
});

test('an approval tells what is asked, by whom, until when, with its dangers in the title', () => {
  expect(approval({ now: 5, timeoutMs: 300_000 })).toMatchObject({
    title: 'Run a command?',
    asker: 'agent, step 1',
    askedAt: 5,
    expiresAt: 300_005,
    subject: { parts: decision.parts, opaque: false },
  });
  const danger = { ...decision, danger: true, warnings: ['It deletes folders with everything in them.'] };
  expect(approval({ decision: danger }).title).toBe(
    'Run a command that deletes folders with everything in them?',
  );
});

test('sec-G07: hidden characters in what is shown are counted', () => {
  const subject = { kind: 'write' as const, paths: ['a\u202egpj.exe'], diffs: [] };
  const asked = approval({ tool: 'edit_file', subject });
  expect(asked.title).toBe('Edit a file?');
  expect(asked.warnings).toEqual(['What is shown has 1 hidden character (U+202E).']);
});
