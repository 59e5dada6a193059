import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { FELL_BEHIND } from '../../shared/contract/frames';
import type { AppError } from '../../shared/error';
import { createClient } from './client';
import { createWebTransport, type WebTransport } from './transport-web';

interface Frame {
  type: string;
  id: number;
  channel?: string;
  count?: number;
}

let host: WebSocketServer;
let port: number;
let transport: WebTransport;
let sessionKnown: boolean | null;
let frames: Frame[];
let sockets: ServerSocket[];
let failures: string[];

function listen(onPort: number): Promise<void> {
  host = new WebSocketServer({ host: '127.0.0.1', port: onPort });
  host.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString()) as Frame));
  });
  return new Promise((resolve) => host.on('listening', resolve));
}

async function stopHost(): Promise<void> {
  for (const socket of host.clients) socket.terminate();
  await new Promise((resolve) => host.close(resolve));
}

const send = (frame: object): void => sockets.at(-1)?.send(JSON.stringify(frame));
const status = (): string => transport.status.get();

beforeEach(async () => {
  [frames, sockets, failures, sessionKnown] = [[], [], [], true];
  await listen(0);
  ({ port } = host.address() as AddressInfo);
  transport = createWebTransport({
    url: `ws://127.0.0.1:${port}/ws`,
    checkSession: () => Promise.resolve(sessionKnown),
    backoffMs: { first: 5, most: 20 },
    onStreamFailure: (channel, message) => failures.push(`${channel}: ${message}`),
  });
});

afterEach(async () => {
  transport.close();
  await stopHost();
});

test('a request made before the connection stands is sent once it does, and only once', async () => {
  const reply = createClient(transport).project.current(null);
  await expect.poll(() => frames).toHaveLength(1);
  expect(frames[0]).toEqual({ type: 'req', id: 1, channel: 'project.current', input: null });
  send({ type: 'res', id: 1, envelope: { ok: true, value: null } });
  expect(await reply).toBeNull();
  expect(frames).toHaveLength(1);
});

test('a failure rejects with code, message and hint', async () => {
  const reply = createClient(transport).project.open({ path: '/none' });
  await expect.poll(() => frames).toHaveLength(1);
  const error = { code: 'folder_missing', message: 'Gone.', hint: 'Look.', audience: 'user' };
  send({ type: 'res', id: 1, envelope: { ok: false, error } });
  await expect(reply).rejects.toMatchObject({ name: 'AppError', code: 'folder_missing', hint: 'Look.' });
});

test('messages are acknowledged in batches, also when a pane fails on one', async () => {
  const got: unknown[] = [];
  const failed = vi.fn();
  process.once('uncaughtException', failed);
  transport.subscribe('files.changed', null, (payload) => {
    got.push(payload);
    if (payload === 7) throw new Error('pane');
  });
  await expect.poll(() => frames).toHaveLength(1);
  for (let n = 1; n <= 20; n += 1) send({ type: 'evt', id: 1, payload: n });
  await expect.poll(() => got).toHaveLength(20);
  expect(frames.filter((frame) => frame.type === 'ack')).toEqual([
    { type: 'ack', id: 1, count: 8 },
    { type: 'ack', id: 1, count: 8 },
  ]);
  process.removeListener('uncaughtException', failed);
});

test('after a loss it comes back and subscribes again; what was under way fails and is not sent twice', async () => {
  const got: unknown[] = [];
  transport.subscribe('session.events', { id: 's' }, (payload) => got.push(payload));
  const stop = transport.subscribe('files.changed', null, () => {});
  const reply = createClient(transport).turn.stop({ sessionId: 's' });
  await expect.poll(() => frames).toHaveLength(3);
  stop();
  const seen: string[] = [];
  transport.status.subscribe(() => seen.push(status()));
  sockets[0]?.terminate();
  await expect(reply).rejects.toMatchObject({ code: 'io_failed' });
  frames = [];
  await expect.poll(() => status()).toBe('open');
  expect(seen).toEqual(['lost', 'open']);
  await expect.poll(() => frames).toHaveLength(1);
  expect(frames[0]).toMatchObject({ type: 'sub', channel: 'session.events', params: { id: 's' } });
  send({ type: 'evt', id: frames[0]?.id, payload: 'snapshot' });
  await expect.poll(() => got).toEqual(['snapshot']);
});

test('while the host is away requests fail at once and say so; it keeps trying until the host is back', async () => {
  await expect.poll(() => status()).toBe('open');
  sessionKnown = null;
  await stopHost();
  await expect.poll(() => status()).toBe('lost');
  const reply = createClient(transport).project.recent(null);
  await expect(reply).rejects.toMatchObject({
    code: 'io_failed',
    message: expect.stringContaining('lost') as string,
  });
  await listen(port);
  await expect.poll(() => status()).toBe('open');
});

test('a host that no longer knows the session is not connected to until it does', async () => {
  await expect.poll(() => status()).toBe('open');
  sessionKnown = false;
  sockets[0]?.terminate();
  await expect.poll(() => status()).toBe('unauthorized');
  const error = await createClient(transport)
    .project.recent(null)
    .catch((thrown: unknown) => thrown as AppError);
  expect(error).toMatchObject({ code: 'unauthorized' });
  expect(sockets).toHaveLength(1);
  sessionKnown = true;
  await expect.poll(() => status()).toBe('open');
  expect(sockets).toHaveLength(2);
});

test('a stream that fell behind starts afresh; one that failed is reported and ends', async () => {
  const got: unknown[] = [];
  transport.subscribe('session.events', { id: 's' }, (payload) => got.push(payload));
  transport.subscribe('terminal.output', { id: 't' }, () => {});
  await expect.poll(() => frames).toHaveLength(2);
  const behind = { code: 'busy', message: 'slow', audience: 'log', detail: { reason: FELL_BEHIND } };
  send({ type: 'end', id: 1, error: behind });
  send({ type: 'end', id: 2, error: { code: 'not_found', message: 'No terminal.', audience: 'user' } });
  await expect.poll(() => frames).toHaveLength(3);
  expect(frames[2]).toMatchObject({ type: 'sub', id: 1, channel: 'session.events' });
  send({ type: 'evt', id: 1, payload: 'fresh' });
  send({ type: 'evt', id: 2, payload: 'late' });
  await expect.poll(() => got).toEqual(['fresh']);
  expect(failures).toEqual(['terminal.output: No terminal.']);
});

test('frames of a newer host are passed over', async () => {
  const reply = createClient(transport).project.current(null);
  await expect.poll(() => frames).toHaveLength(1);
  sockets[0]?.send('not json');
  send({ type: 'news', id: 1 });
  send({ type: 'res', id: 1, envelope: { ok: true, value: null } });
  expect(await reply).toBeNull();
});
