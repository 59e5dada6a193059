import { expect, test } from 'vitest';
import { PendingApproval } from '../../shared/model/approval';
import { SessionSummary, type SessionActivity } from '../../shared/model/session';
import { newApprovals, turnEnd, windowTitle } from './attention';

const approval = (id: string) =>
  PendingApproval.parse({
    id,
    sessionId: 's1',
    turnId: 't1',
    callId: 'c1',
    tool: 'run_command',
    title: 'Run a command?',
    asker: 'Agent, step 2',
    subject: { kind: 'other', summary: 'x', arguments: '{}' },
    warnings: [],
    danger: false,
    reason: 'No rule',
    proposedRule: null,
    digest: 'd',
    askedAt: 1,
    expiresAt: 2,
  });

const session = (activity: SessionActivity) =>
  SessionSummary.parse({
    id: 's1',
    projectId: 'p1',
    projectPath: '/p',
    title: 'Fix it',
    mode: 'agent',
    model: null,
    activity,
    lastFact: '2 files changed',
    messageCount: 2,
    createdAt: 1,
    updatedAt: 2,
  });

test('each approval is told once', () => {
  const told = newApprovals([approval('a')], [approval('a'), approval('b')]);
  expect(told.map((attention) => attention.tag)).toEqual(['approval-b']);
  expect(told[0]?.title).toBe('Run a command?');
});

test('only the end of a turn is worth a notice', () => {
  expect(turnEnd('running', session('idle'))).toMatchObject({
    title: '“Fix it” finished',
    text: '2 files changed',
  });
  expect(turnEnd('waiting', session('failed'))?.title).toBe('“Fix it” stopped with an error');
  expect(turnEnd('idle', session('idle'))).toBeNull();
  expect(turnEnd('running', session('waiting'))).toBeNull();
  expect(turnEnd(undefined, session('idle'))).toBeNull();
});

test('the title starts with what waits', () => {
  expect(windowTitle(1, 'harbor-api')).toBe('(1) harbor-api – Lathe');
  expect(windowTitle(0, null)).toBe('Lathe');
});
