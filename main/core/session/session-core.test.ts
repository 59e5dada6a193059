import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallId, MessageId } from '../../../shared/model/ids';
import type { TurnEvent, TurnEventPayload } from '../../../shared/model/turn-event';
import { INTERRUPTED_RESULT } from '../context/sanitise';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { EventLog } from './event-log';
import { SessionCatalog } from './session-catalog';
import { titleFrom, UNTITLED } from './session-title';
import { WriterLease } from './writer-lease';

let dir = '';
let store: Store;
let ids = 0;
const newId = (): string => `id-${(ids += 1)}`;

beforeEach(async () => {
  dir = scratchFolder('lathe-session-');
  store = openStore({ dataDir: dir });
});
afterEach(async () => {
  store.close();
  await rm(dir, { recursive: true, force: true });
});

const fail = (error: unknown): never => {
  throw error;
};
const catalog = (): SessionCatalog => new SessionCatalog(store, new WriterLease(store.state), newId, fail);

function newSession(sessions: SessionCatalog) {
  const project = store.projects.open(dir, { name: 'p', device: null, inode: null, isTour: false });
  return sessions.create({ projectId: project.id, projectPath: dir, mode: 'agent', model: null });
}

const m1 = 'm1' as MessageId;
const started: TurnEventPayload = {
  type: 'turn.started',
  messageId: 'u1' as MessageId,
  text: 'hi',
  mode: 'agent',
  agent: 'Agent',
  kind: 'message',
};
const step: TurnEventPayload = { type: 'step.started', step: 1, maxSteps: 5, messageId: m1 };
const delta = (text: string): TurnEventPayload => ({ type: 'text.delta', messageId: m1, text });
const callId = 'c1' as CallId;
const asked: TurnEventPayload = {
  type: 'call.requested',
  callId,
  messageId: m1,
  tool: 'run_command',
  args: {},
  label: 'Ran',
};
const running: TurnEventPayload = { type: 'call.state', callId, tool: 'run_command', state: 'running' };

test('deltas are joined and become durable with the next event that matters, in order and without gaps', () => {
  const session = newSession(catalog());
  const log = new EventLog(session.id, store.events, fail);
  const heard: TurnEvent[] = [];
  log.listen((events) => heard.push(...events));
  log.append('t1', [started]);
  log.append('t1', [step]);
  log.append('t1', [delta('a')]);
  log.append('t1', [delta('b')]);
  expect(store.events.lastSeq(session.id)).toBe(1);
  log.append('t1', [running]);
  const stored = store.events.after(session.id, 0).events;
  expect(stored.map((event) => [event.seq, event.type])).toEqual([
    [1, 'turn.started'],
    [2, 'step.started'],
    [3, 'text.delta'],
    [4, 'call.state'],
  ]);
  expect(stored[2]).toMatchObject({ text: 'ab' });
  expect(heard).toEqual(stored);
});

test('a waiting delta is stored by itself after a moment', async () => {
  const session = newSession(catalog());
  const log = new EventLog(session.id, store.events, fail);
  const heard = new Promise<readonly TurnEvent[]>((resolve) => log.listen(resolve));
  log.append('t1', [delta('x')]);
  expect(await heard).toMatchObject([{ seq: 1, text: 'x' }]);
});

test('fault-F83: a turn whose process died is closed with unknown effects, and nothing is claimed or run again', () => {
  const first = catalog();
  const session = newSession(first);
  const runtime = first.runtime(session.id);
  runtime.log.append('t1', [started], [runtime.history.append({ role: 'user', content: 'hi' })]);
  runtime.log.append(
    't1',
    [step, asked],
    [
      runtime.history.append({
        role: 'assistant',
        content: '',
        calls: [{ id: 'c1', name: 'run_command', arguments: '{}' }],
      }),
    ],
  );
  runtime.log.append('t1', [running]);
  first.update(session.id, { activity: 'running' });

  const second = catalog();
  expect(second.recover()).toBe(1);
  const view = second.runtime(session.id).view;
  expect(view.live).toBeNull();
  expect(view.lastEnd).toMatchObject({ reason: 'error', error: { code: 'cancelled' } });
  expect(second.get(session.id).activity).toBe('interrupted');
  expect(second.runtime(session.id).history.messages.at(-1)).toEqual({
    role: 'tool',
    callId: 'c1',
    name: 'run_command',
    content: INTERRUPTED_RESULT,
  });
  expect(second.recover()).toBe(0);
});

test('a title is the first line of the first message, cut at a word', () => {
  expect(titleFrom('Fix the parser\nplease')).toBe('Fix the parser');
  expect(titleFrom('word '.repeat(40)).length).toBeLessThanOrEqual(61);
  expect(titleFrom(' \n ')).toBe(UNTITLED);
});

test('a session held by another live process can not be written here', () => {
  const lease = new WriterLease(store.state);
  store.state.set('lease', 's1', { pid: process.ppid, beatAt: Date.now() });
  expect(() => lease.take('s1')).toThrow(/another Lathe process/);
  store.state.set('lease', 's1', { pid: process.ppid, beatAt: Date.now() - 60_000 });
  lease.take('s1');
  lease.release('s1');
});
