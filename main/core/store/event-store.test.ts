import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptySessionView } from '../../../shared/model/session-view';
import type { PendingApproval } from '../../../shared/model/approval';
import { scratchFolder } from '../testing/scratch-folder';
import { createEventStore } from './event-store';
import { migrate } from './migrate';
import { MIGRATIONS } from './open-store';
import { createProjectStore } from './project-store';
import { createSessionStore } from './session-store';
import { Sql } from './sql';

let dir: string;
let sql: Sql;

beforeEach(() => {
  dir = scratchFolder('lathe-events-');
  sql = Sql.open(join(dir, 'test.db'));
  migrate(sql, MIGRATIONS, dir);
  const project = createProjectStore(sql).open('/p', { name: 'p', device: null, inode: null, isTour: false });
  for (const id of ['s1', 's2']) {
    const row = {
      id,
      projectId: project.id,
      projectPath: '/p',
      mode: 'agent',
      model: null,
      title: id,
    } as const;
    createSessionStore(sql).create(row);
  }
});
afterEach(() => {
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});

const note = (text: string) => ({ type: 'nudge', kind: 'test', text }) as const;
const user = (id: string, content: string) => ({ id, message: { role: 'user', content } }) as const;

test('events get 1, 2, 3 … per session, and messages their own positions', () => {
  const events = createEventStore(sql);
  expect(events.append('s1', 't1', [note('a'), note('b')], [user('m1', 'hi')]).map((e) => e.seq)).toEqual([
    1, 2,
  ]);
  expect(events.append('s2', 't2', [note('c')]).map((e) => e.seq)).toEqual([1]);
  events.addMessages('s1', 't1', [user('m2', 'more')]);
  expect(events.append('s1', 't1', [note('d')]).map((e) => e.seq)).toEqual([3]);
  expect(events.lastSeq('s1')).toBe(3);
  expect(events.lastSeq('nobody')).toBe(0);
  expect(events.after('s1', 1, 1).events).toMatchObject([
    { seq: 2, text: 'b', turnId: 't1', sessionId: 's1' },
  ]);
  const stored = events.messages('s1').messages;
  expect(stored.map(({ id, position }) => [id, position])).toEqual([
    ['m1', 1],
    ['m2', 2],
  ]);
  expect(createSessionStore(sql).get('s1')?.messageCount).toBe(2);
});

test('a part of an append that fails leaves nothing of it behind', () => {
  const events = createEventStore(sql);
  events.addMessages('s1', 't1', [user('m1', 'hi')]);
  expect(() => events.append('s1', 't1', [note('a')], [user('m1', 'again')])).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  );
  expect(events.lastSeq('s1')).toBe(0);
  expect(events.after('s1', 0).events).toEqual([]);
});

test('appending to a deleted session says so', () => {
  const events = createEventStore(sql);
  createSessionStore(sql).remove('s1');
  expect(() => events.append('s1', 't1', [note('a')])).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('case-H01, case-H09: unreadable events and messages are skipped and counted, the rest is shown', () => {
  const events = createEventStore(sql);
  events.append('s1', 't1', [note('a'), note('b'), note('c'), note('d')], [user('m1', 'x'), user('m2', 'y')]);
  sql.run(`UPDATE events SET payload = '{"type":"nudge","ki' WHERE seq = 2`);
  sql.run(`UPDATE events SET payload = '{"type":"nudge","kind":"test","text":5}' WHERE seq = 3`);
  sql.run(`UPDATE messages SET message = '{"role":"tool","content":null}' WHERE position = 1`);
  const { events: readable, unreadable } = events.after('s1', 0);
  expect(readable.map((event) => event.seq)).toEqual([1, 4]);
  expect(unreadable).toBe(2);
  expect(events.messages('s1')).toMatchObject({ unreadable: 1, messages: [{ id: 'm2' }] });
});

test('fault-F116: NUL characters and lone surrogates in an event come back as they were', () => {
  const events = createEventStore(sql);
  const text = 'a\u0000b\ud83d';
  events.append('s1', 't1', [note(text)]);
  expect(events.after('s1', 0).events).toMatchObject([{ text }]);
});

test('fault-F114: a full disk is an error with a hint, nothing half-written, and writing goes on after', () => {
  const events = createEventStore(sql);
  events.append('s1', 't1', [note('a')]);
  sql.pragma(`max_page_count = ${String(Number(sql.pragma('page_count')) + 5)}`);
  const huge = note('x'.repeat(1_000_000));
  expect(() => events.append('s1', 't1', [note('b'), huge])).toThrow(
    expect.objectContaining({
      code: 'disk_full',
      hint: expect.stringContaining('Free some space') as string,
    }),
  );
  expect(events.lastSeq('s1')).toBe(1);
  expect(events.after('s1', 0).events).toHaveLength(1);
  sql.pragma('max_page_count = 1000000');
  expect(events.append('s1', 't1', [note('b'), huge]).map((event) => event.seq)).toEqual([2, 3]);
});

test('a message is replaced in its place; an unknown one is an error', () => {
  const events = createEventStore(sql);
  events.addMessages('s1', 't1', [
    { id: 'm1', message: { role: 'assistant', content: 'par' } },
    user('m2', 'y'),
  ]);
  events.replaceMessage('s1', 'm1', { role: 'assistant', content: 'partial and whole' });
  expect(events.messages('s1').messages.map((m) => m.message.content)).toEqual(['partial and whole', 'y']);
  expect(() => events.replaceMessage('s1', 'm9', { role: 'user', content: '' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a saved view comes back, an older one never replaces a newer, an unreadable one is no view', () => {
  const events = createEventStore(sql);
  expect(events.loadView('s1')).toBeNull();
  events.saveView('s1', { ...emptySessionView(), seq: 5, toolCount: 2 });
  events.saveView('s1', { ...emptySessionView(), seq: 4 });
  expect(events.loadView('s1')).toMatchObject({ seq: 5, toolCount: 2 });
  sql.run(`UPDATE views SET view = '{"seq":"five"}'`);
  expect(events.loadView('s1')).toBeNull();
});

test('approvals, usage and compactions are kept for audit in the transaction of their event', () => {
  const events = createEventStore(sql);
  const approval = { id: 'a1', callId: 'c1', digest: 'd', askedAt: 7 } as PendingApproval;
  events.append('s1', 't1', [{ type: 'approval.asked', approval }]);
  const reply = {
    type: 'approval.replied',
    approvalId: approval.id,
    callId: approval.callId,
    answer: 'deny',
  } as const;
  events.append('s1', 't1', [
    { ...reply, by: 'user' },
    { type: 'usage', inputTokens: 10, outputTokens: 2, estimated: true },
    { type: 'compaction', tier: 'full', beforeTokens: 90, afterTokens: 9, note: '' },
  ]);
  expect(sql.all('SELECT id, digest, answer, decided_by, asked_at FROM approvals')).toEqual([
    { id: 'a1', digest: 'd', answer: 'deny', decided_by: 'user', asked_at: 7 },
  ]);
  expect(sql.all('SELECT seq, input_tokens, is_estimated FROM usage')).toEqual([
    { seq: 3, input_tokens: 10, is_estimated: 1 },
  ]);
  expect(sql.all('SELECT seq, tier, after_tokens FROM compactions')).toEqual([
    { seq: 4, tier: 'full', after_tokens: 9 },
  ]);
});
