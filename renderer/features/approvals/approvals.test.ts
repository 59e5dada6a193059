import { expect, test } from 'vitest';
import type { PendingApproval } from '../../../shared/model/approval';
import type { ApprovalId, CallId, SessionId, TurnId } from '../../../shared/model/ids';
import { buttonsOn, guardKey } from './approval-guard';
import { answer, defer, emptyQueue, inDialog, onCard, reopen, review, withPending } from './approval-queue';
import { cardSuffices, grantWords, timeLeft, warningsOf } from './approval-words';

const approval = (id: string, rest: Partial<PendingApproval> = {}): PendingApproval => ({
  id: id as ApprovalId,
  sessionId: 's' as SessionId,
  turnId: 't' as TurnId,
  callId: 'c' as CallId,
  tool: 'run_command',
  title: 'Run a command?',
  asker: 'Agent, step 1',
  subject: { kind: 'command', command: 'npm test', cwd: '/p', parts: [], opaque: false },
  warnings: [],
  danger: false,
  reason: 'No rule',
  proposedRule: { action: 'run_command', resource: 'npm test', effect: 'allow' },
  digest: 'd',
  askedAt: 0,
  expiresAt: 300_000,
  ...rest,
});
const press = (key: string, rest = {}) => ({
  key,
  repeat: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...rest,
});
const facts = { armed: true, read: true, danger: false, grantable: true, closed: false };

test('sec-C22: nothing takes a press before the guard is over', () => {
  expect(buttonsOn({ ...facts, armed: false })).toEqual({ deny: false, allowOnce: false, grants: false });
  expect(buttonsOn(facts)).toEqual({ deny: true, allowOnce: true, grants: true });
});

test('long text has to be scrolled to its end before it can be allowed; denying needs no reading', () => {
  expect(buttonsOn({ ...facts, read: false })).toEqual({ deny: true, allowOnce: false, grants: false });
});

test('what can do harm and what has no rule is never granted beyond once', () => {
  expect(buttonsOn({ ...facts, danger: true })).toMatchObject({ allowOnce: true, grants: false });
  expect(buttonsOn({ ...facts, grantable: false })).toMatchObject({ allowOnce: true, grants: false });
});

test('sec-C22: Enter that is held down or comes too early approves nothing', () => {
  expect(guardKey(press('Enter', { repeat: true }), true, false)).toBe('block');
  expect(guardKey(press('Enter'), false, false)).toBe('block');
  expect(guardKey(press(' ', { repeat: true }), true, false)).toBe('block');
  expect(guardKey(press('Enter'), true, false)).toBeNull();
});

test('sec-C22: somebody who is still typing keeps the buttons off', () => {
  expect(guardKey(press('a'), true, false)).toBe('rearm');
  expect(guardKey(press('d'), false, false)).toBe('rearm');
  expect(guardKey(press('d'), true, false)).toBe('deny');
  expect(guardKey(press('d'), true, true)).toBe('rearm');
  expect(guardKey(press('Tab'), true, false)).toBeNull();
  expect(guardKey(press('c', { ctrlKey: true }), true, false)).toBeNull();
});

test('approvals follow one another; a deferred one waits on the card and can be taken up again', () => {
  const queue = withPending(emptyQueue, [approval('a'), approval('b')]);
  expect(inDialog(queue)?.id).toBe('a');
  const later = defer(queue, 'a');
  expect([inDialog(later)?.id, onCard(later).map(({ id }) => id)]).toEqual(['b', ['a']]);
  expect(inDialog(review(later, 'a'))?.id).toBe('a');
  const answered = answer(later, 'b');
  expect(inDialog(answered)).toBeNull();
  expect(inDialog(reopen(answered, 'b'))?.id).toBe('b');
});

test('one that was answered elsewhere closes here', () => {
  const queue = defer(withPending(emptyQueue, [approval('a'), approval('b')]), 'a');
  const left = withPending(queue, [approval('b')]);
  expect([inDialog(left)?.id, onCard(left)]).toEqual(['b', []]);
});

test('sec-G07: hidden characters are counted as a warning of our own', () => {
  const hidden = approval('a', {
    subject: { kind: 'command', command: 'rm \u202Ex\u200B', cwd: '/p', parts: [], opaque: false },
  });
  expect(warningsOf(hidden)).toEqual([
    '2 hidden characters. They change how the text reads on screen. Shown below as codes.',
  ]);
  expect(cardSuffices(hidden)).toBe(false);
  expect(warningsOf({ ...hidden, warnings: ['Hidden characters'] })).toEqual(['Hidden characters']);
});

test('the card answers only what it can show whole', () => {
  expect(cardSuffices(approval('a'))).toBe(true);
  expect(cardSuffices(approval('a', { danger: true }))).toBe(false);
  const long: PendingApproval['subject'] = {
    kind: 'command',
    command: 'x'.repeat(400),
    cwd: '/p',
    parts: [],
    opaque: false,
  };
  expect(cardSuffices(approval('a', { subject: long }))).toBe(false);
});

test('time left is text, and no time left is a denial', () => {
  expect(timeLeft(300_000, 12_000)).toBe('4:48 left');
  expect(timeLeft(300_000, 300_000)).toBe('No time left: denied');
});

test('the grant says what it would add or why it is not offered', () => {
  expect(grantWords(approval('a'))).toEqual({ rule: 'run_command npm test', text: 'would add' });
  expect(grantWords(approval('a', { proposedRule: null })).rule).toBeNull();
  expect(grantWords(approval('a', { danger: true })).text).toContain('harm');
});
