import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { AppError } from '../../../shared/error';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { followOthers } from './follow-others';
import { SessionCatalog, type SessionChange } from './session-catalog';
import { SessionRuntime } from './session-runtime';
import { WriterLease } from './writer-lease';

let dir = '';
let here: Store;
let elsewhere: Store;

beforeEach(async () => {
  dir = scratchFolder('lathe-others-');
  here = openStore({ dataDir: dir });
  elsewhere = openStore({ dataDir: dir });
});
afterEach(async () => {
  here.close();
  elsewhere.close();
  await rm(dir, { recursive: true, force: true });
});

const fail = (error: unknown): never => {
  throw error;
};
const newId = (): string => crypto.randomUUID();
const catalogOf = (store: Store): SessionCatalog =>
  new SessionCatalog(store, new WriterLease(store.state), newId, fail);

const started = (text: string): TurnEventPayload => ({
  type: 'turn.started',
  messageId: 'u1' as MessageId,
  text,
  mode: 'agent',
  agent: 'Agent',
  kind: 'message',
});

function newSession(store: Store) {
  const project = store.projects.open(dir, { name: 'p', device: null, inode: null, isTour: false });
  return catalogOf(store).create({ projectId: project.id, projectPath: dir, mode: 'agent', model: null });
}

test('case-H07: what another process writes shows in the list and in the session on screen', async () => {
  const session = newSession(here);
  const catalog = catalogOf(here);
  const changes: SessionChange[] = [];
  catalog.onChange((change) => changes.push(change));
  const seen: string[] = [];
  const runtime = catalog.runtime(session.id);
  runtime.listen((events) => seen.push(...events.map(({ type }) => type)));
  const stop = followOthers({
    catalog,
    changedElsewhere: () => here.changedElsewhere(),
    isLive: () => false,
    projectId: () => session.projectId,
    onError: fail,
  });
  try {
    const other = catalogOf(elsewhere);
    other.update(session.id, { title: 'Named elsewhere' });
    const named = expect.objectContaining({ id: session.id, title: 'Named elsewhere' }) as unknown;
    await expect.poll(() => changes).toContainEqual({ kind: 'updated', summary: named });
    const message = { id: 'm1', message: { role: 'user' as const, content: 'from elsewhere' } };
    other.runtime(session.id).log.append('t1', [started('from elsewhere')], [message]);
    await expect.poll(() => seen).toEqual(['turn.started']);
    expect(runtime.history.messages).toEqual([message.message]);
    other.remove(session.id);
    await expect.poll(() => changes).toContainEqual({ kind: 'removed', id: session.id });
  } finally {
    stop();
  }
});

test('a session that was written elsewhere is brought up to date before it goes on here', () => {
  const session = newSession(here);
  const runtime = new SessionRuntime(session.id, here, newId, fail);
  const message = { id: 'm1', message: { role: 'user' as const, content: 'one' } };
  elsewhere.events.append(session.id, 't1', [started('one')], [message]);
  runtime.catchUp();
  expect(runtime.view.seq).toBe(1);
  runtime.log.append('t2', [started('two')], [runtime.history.append({ role: 'user', content: 'two' })]);
  expect(runtime.view.seq).toBe(2);
  expect(runtime.history.messages.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('fault-F114: a lease that can not be given back or renewed ends no process; taking one says what is wrong', () => {
  const full = new AppError('disk_full', 'There is no room.');
  const told: unknown[] = [];
  let room = true;
  const state = {
    get: (): unknown => null,
    text: () => null,
    set: (): void => {
      if (!room) throw full;
    },
  };
  const lease = new WriterLease(state, (error) => told.push(error));
  lease.take('s');
  room = false;
  lease.release('s');
  expect(told).toEqual([full]);
  expect(() => lease.take('s')).toThrow(full);
});
