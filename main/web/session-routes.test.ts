import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls } from '../../e2e/support/scripted-model/script-reply';
import { type ScriptedModel, startScriptedModel } from '../../e2e/support/scripted-model/scripted-model';
import { contract } from '../../shared/contract/contract';
import { createHandlers } from '../api/handlers';
import { startCore, type TestCore } from '../core/testing/start-core';
import { createRouter } from '../rpc/router';
import { type RunningServer, startServer } from './server';

let model: ScriptedModel;
let app: TestCore;
let server: RunningServer;
let out: string;

beforeEach(async () => {
  model = await startScriptedModel({ script: ['About zebras.', 'About lions.', 'About tigers.'] });
  app = await startCore({ modelUrl: model.url });
  out = await mkdtemp(join(tmpdir(), 'lathe-rest-'));
  const router = createRouter({
    ...{ domains: contract, handlers: createHandlers(app.core), checkOutput: true },
    onFailure: (channel, error) => {
      throw new Error(channel, { cause: error });
    },
  });
  server = await startServer({ router, port: 0, rendererDir: tmpdir(), log: { error: () => {} } });
});
afterEach(async () => {
  await server.close();
  await app[Symbol.asyncDispose]();
  await model.close();
  await rm(out, { recursive: true, force: true });
});

async function call(
  method: string,
  route: string,
  body?: unknown,
): Promise<{ status: number; value: unknown }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${route}`, {
    method,
    headers: { authorization: `Bearer ${server.apiToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value, error } = (await response.json()) as { value?: unknown; error?: unknown };
  return { status: response.status, value: value ?? error };
}

const value = async <T>(...args: Parameters<typeof call>): Promise<T> => {
  const answer = await call(...args);
  expect([args[1], answer.status, answer.value]).toEqual([args[1], 200, answer.value]);
  return answer.value as T;
};

interface Message {
  id: string;
  role: string;
  text: string;
  position: number;
}

test('M3: scripts search, fork, rewind, edit and run again', async () => {
  await app.turn('hello zebras');
  await app.turn('hello lions');
  const own = `/api/sessions/${app.session.id}`;
  const found = await value<{ session: { id: string }; hits: Message[] }[]>('GET', '/api/search?query=zebra');
  expect(found.map(({ session }) => session.id)).toEqual([app.session.id]);
  expect(found[0]?.hits.map(({ text }) => text)).toEqual(['About zebras.', 'hello zebras']);
  const messages = await value<Message[]>('GET', `${own}/messages`);
  expect(messages.map(({ text }) => text)).toEqual([
    'hello zebras',
    'About zebras.',
    'hello lions',
    'About lions.',
  ]);
  const messageId = messages[2]?.id;
  const fork = await value<{ id: string; title: string }>('POST', `${own}/fork`, {
    messageId,
    keep: 'before',
  });
  expect(fork.title).toBe('hello zebras (fork)');
  const edited = await value<{ sessionId: string; turnId: string; kept: { title: string } }>(
    'POST',
    `${own}/edit`,
    {
      messageId,
      text: 'hello tigers',
    },
  );
  expect(edited).toMatchObject({
    sessionId: app.session.id,
    kept: { title: 'hello zebras (before edit)' },
  });
  await app.core.turns.whenIdle(app.session.id);
  const after = await value<Message[]>('GET', `${own}/messages?after=2&limit=5`);
  expect(after.map(({ text }) => text)).toEqual(['hello tigers', 'About tigers.']);
  const rewound = await value('POST', `${own}/rewind`, { messageId: after[0]?.id, keepFork: false });
  expect(rewound).toEqual({ text: 'hello tigers', kept: null });
  expect(await call('POST', `${own}/rewind`, { messageId })).toMatchObject({ status: 404 });
  expect(await call('POST', `${own}/fork`, { keep: 'sideways' })).toMatchObject({ status: 400 });
});

test('M2: scripts export a session and import it again', async () => {
  await app.turn('hello zebras');
  const path = join(out, 'zebras');
  const report = await value<{ messages: number }>('POST', `/api/sessions/${app.session.id}/export`, {
    path,
  });
  expect(report).toMatchObject({ path, messages: 2 });
  expect(await readFile(join(path, 'chat_history.jsonl'), 'utf8')).toContain('About zebras.');
  expect(await call('POST', `/api/sessions/${app.session.id}/export`, { path })).toMatchObject({
    status: 409,
  });
  const copy = await value<{ session: { title: string } }>('POST', '/api/imports', { path });
  expect(copy).toMatchObject({ messages: 2, skipped: 0, session: { title: 'hello zebras' } });
  expect(await call('POST', '/api/imports', { path: 'somewhere' })).toMatchObject({ status: 400 });
});

test('scripts list changes, undo a turn, redo it and go back to a message', async () => {
  for (let said = 0; said < 3; said += 1) await app.turn('animals');
  model.push(calls('write_file', { path: 'a.txt', content: 'made\n' }), 'Made.');
  app.core.approvals.onChange((pending) => {
    for (const { id } of pending) queueMicrotask(() => app.core.approvals.reply(id, 'allow_once', 'user'));
  });
  await app.turn('make a.txt');
  const own = `/api/sessions/${app.session.id}`;
  type Entry = { id: string; undoneBy: string | null; author: { turnId?: string } };
  const [entry] = await value<Entry[]>('GET', `${own}/changes?limit=5`);
  const undone = await value<{ setId: string }>('POST', `${own}/undo`, { turnId: entry?.author.turnId });
  expect(undone).toMatchObject({ files: [{ path: 'a.txt', outcome: 'restored' }], conflicts: [] });
  await expect(app.read('a.txt')).rejects.toThrow('ENOENT');
  await value('POST', `/api/changes/${undone.setId}/redo`);
  expect(await app.read('a.txt')).toBe('made\n');
  const messages = await value<Message[]>('GET', `${own}/messages`);
  const messageId = messages.find(({ text }) => text === 'make a.txt')?.id;
  expect(await call('POST', `${own}/restore`, { messageId, what: 'everything' })).toMatchObject({
    status: 400,
  });
  const restored = await value('POST', `${own}/restore`, { messageId, what: 'both' });
  expect(restored).toMatchObject({ files: { conflicts: [] }, chat: { text: 'make a.txt' } });
  await expect(app.read('a.txt')).rejects.toThrow('ENOENT');
});

test('scripts queue messages for the running turn, change, remove and send them', async () => {
  const own = `/api/sessions/${app.session.id}`;
  type Waiting = { id: string; text: string; mentions: string[] }[];
  const texts = async (): Promise<string[]> =>
    (await value<Waiting>('GET', `${own}/queue`)).map(({ text }) => text);
  expect(await value('GET', `${own}/queue`)).toEqual([]);
  expect(await call('POST', `${own}/queue`, { text: 'too early' })).toMatchObject({ status: 400 });

  for (let said = 0; said < 3; said += 1) await app.turn('animals');
  model.push({ text: 'About gnus, at length.', holdAfterChars: 5 }, 'First.', 'Third.');
  app.core.turns.start({ sessionId: app.session.id, text: 'hello gnus' });
  await model.waitForRequests(4);
  const first = await value<{ id: string }>('POST', `${own}/queue`, { text: 'first', mentions: ['a.ts'] });
  const second = await value<{ id: string }>('POST', `${own}/queue`, { text: 'second' });
  await value('POST', `${own}/queue`, { text: 'third' });
  expect(await value('PATCH', `${own}/queue/${first.id}`, { text: 'first, changed' })).toEqual(first);
  expect(await value('DELETE', `${own}/queue/${second.id}`)).toMatchObject({ text: 'second' });
  expect(await value<Waiting>('GET', `${own}/queue`)).toMatchObject([
    { ...first, text: 'first, changed', mentions: ['a.ts'] },
    { text: 'third', mentions: [] },
  ]);
  expect(await call('DELETE', `${own}/queue/${second.id}`)).toMatchObject({ status: 404 });
  expect(await call('PATCH', `${own}/queue/${second.id}`, { text: 'x' })).toMatchObject({ status: 404 });
  expect(await call('PATCH', `${own}/queue/${first.id}`, { text: '' })).toMatchObject({ status: 400 });
  expect(await call('POST', `${own}/queue/send`)).toMatchObject({ status: 409 });

  // After Stop the queue stands still; "send" goes on with the oldest, the next one follows by itself.
  await value('POST', `${own}/stop`);
  await app.core.turns.whenIdle(app.session.id);
  expect(await texts()).toEqual(['first, changed', 'third']);
  await value<{ turnId: string }>('POST', `${own}/queue/send`);
  await expect.poll(texts).toEqual([]);
  await app.core.turns.whenIdle(app.session.id);
  const said = await value<Message[]>('GET', `${own}/messages`);
  expect(said.filter(({ role }) => role === 'user').map(({ text }) => text)).toEqual([
    ...['animals', 'animals', 'animals', 'hello gnus', 'first, changed', 'third'],
  ]);
  expect(await call('POST', `${own}/queue/send`)).toMatchObject({ status: 404 });
});

test('the routes of the queue are as closed as the others', async () => {
  const route = `http://127.0.0.1:${server.port}/api/sessions/${app.session.id}/queue`;
  const authorization = `Bearer ${server.apiToken}`;
  const json = { 'content-type': 'application/json' };
  const statusOf = async (init: RequestInit): Promise<number> => (await fetch(route, init)).status;
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ headers: { authorization: 'Bearer wrong' } })).toBe(401);
  expect(await statusOf({ headers: { authorization, origin: 'http://evil.example' } })).toBe(403);
  const post = { method: 'POST', body: '{"text":"x"}' };
  expect(await statusOf({ ...post, headers: { authorization, 'content-type': 'text/plain' } })).toBe(403);
  expect(await statusOf({ ...post, headers: json })).toBe(403);
  expect(await call('PUT', `/api/sessions/${app.session.id}/queue`)).toMatchObject({
    status: 404,
    value: { hint: expect.stringMatching(/GET, POST/) as string },
  });
  expect(await call('GET', '/api/sessions/unknown/queue')).toMatchObject({ status: 404 });
});
