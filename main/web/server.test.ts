import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { domain, event, type CallContext, Nothing, request } from '../../shared/contract/define';
import { createRouter } from '../rpc/router';
import { type RunningServer, startServer } from './server';

const clock = domain('clock', {
  now: request({ input: Nothing, output: z.int() }),
  ticks: event({ params: z.object({ upTo: z.int() }), payload: z.object({ n: z.int(), pad: z.string() }) }),
});

const aborted: number[] = [];
const produced = { count: 0 };
const router = createRouter({
  domains: { clock },
  handlers: {
    clock: {
      now: () => 12,
      ticks: async (
        { upTo }: { upTo: number },
        send: (message: unknown) => Promise<void>,
        { signal }: CallContext,
      ) => {
        signal.addEventListener('abort', () => aborted.push(upTo));
        for (let n = 1; n <= upTo && !signal.aborted; n += 1) {
          produced.count = n;
          await send({ n, pad: 'x'.repeat(100) });
        }
      },
    },
  },
  checkOutput: true,
  onFailure: () => {},
});

let root: string;
let server: RunningServer;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'lathe-web-'));
  await mkdir(path.join(root, 'window/assets'), { recursive: true });
  await writeFile(path.join(root, 'window/index.html'), '<!doctype html><title>Lathe</title>');
  await writeFile(path.join(root, 'window/assets/app-B4x_9zQ1.js'), 'export {};');
  await writeFile(path.join(root, 'window/assets/icons.ttf'), 'font');
  await writeFile(path.join(root, 'secret.txt'), 'secret');
  await symlink(path.join(root, 'secret.txt'), path.join(root, 'window/link.txt'));
});

beforeEach(async () => {
  const log = { error: () => {} };
  server = await startServer({
    router,
    port: 0,
    rendererDir: path.join(root, 'window'),
    log,
    pingMs: 200,
  });
  return () => server.close();
});

afterAll(() => rm(root, { recursive: true, force: true }));

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function ask(
  target: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(
      { host: '127.0.0.1', port: server.port, path: target, method: options.method ?? 'GET', agent: false },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (body += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    for (const [name, value] of Object.entries(options.headers ?? {})) req.setHeader(name, value);
    req.on('error', reject);
    req.end(options.body);
  });
}

/** The status line of a request written by hand, for what a client library would not send. */
function askRaw(lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });
}

async function signIn(): Promise<string> {
  const link = new URL(server.newLink());
  const { headers } = await ask(link.pathname + link.search);
  return (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

function openSocket(headers: Record<string, string>, target = '/ws'): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${target}`, { headers });
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', reject);
  });
}

async function openClient(): Promise<WebSocket> {
  const socket = await openSocket({ origin: `http://127.0.0.1:${server.port}`, cookie: await signIn() });
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return socket;
}

function framesOf(socket: WebSocket): Record<string, unknown>[] {
  const frames: Record<string, unknown>[] = [];
  socket.on('message', (data) =>
    frames.push(JSON.parse((data as Buffer).toString()) as Record<string, unknown>),
  );
  return frames;
}

test('sec-E01: every route without a session answers 401 and tells nothing', async () => {
  const routes = [
    '/',
    '/index.html',
    '/assets/app-B4x_9zQ1.js',
    '/health',
    '/api/session',
    '/api/sessions',
    '/ws',
  ];
  for (const route of routes) {
    const { status, body } = await ask(route);
    expect([route, status]).toEqual([route, 401]);
    expect(body).not.toMatch(/index|assets|session|\/tmp/);
  }
  expect((await ask('/', { method: 'HEAD' })).body).toBe('');
  expect((await ask('/')).body).toContain('lathe serve');
  expect(await openSocket({ origin: `http://127.0.0.1:${server.port}` })).toBe(401);
});

test('sec-E01: tokens have at least 128 bits and differ from launch to launch', async () => {
  const token = new URL(server.newLink()).searchParams.get('t') ?? '';
  expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect(Buffer.from(server.apiToken, 'base64url').length).toBeGreaterThanOrEqual(16);
  expect(token).not.toBe(server.apiToken);
  for (const wrong of ['x', `${server.apiToken}x`, server.apiToken.slice(1), token]) {
    const { status } = await ask('/api/session', { headers: { authorization: `Bearer ${wrong}` } });
    expect(status).toBe(401);
  }
  const old = await signIn();
  await server.close();
  const port = server.port;
  server = await startServer({
    router,
    port,
    rendererDir: path.join(root, 'window'),
    log: { error: () => {} },
  });
  expect((await ask('/', { headers: { cookie: old } })).status).toBe(401);
});

test('sec-E02: a socket opens for our exact origin with a session, and for nothing else', async () => {
  const cookie = await signIn();
  const { port } = server;
  const foreign = [
    'https://evil.test',
    'null',
    `http://localhost:${port + 1}`,
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}.evil.test`,
  ];
  for (const origin of foreign) {
    expect([origin, await openSocket({ cookie, origin })]).toEqual([origin, 403]);
  }
  expect(await openSocket({ cookie })).toBe(403);
  const origin = `http://127.0.0.1:${port}`;
  expect(await openSocket({ cookie, origin }, '/other')).toBe(404);
  expect(await openSocket({ cookie, origin, host: 'evil.test' })).toBe(403);
  expect(await openSocket({ cookie, origin })).toBeInstanceOf(WebSocket);
  const local = `localhost:${port}`;
  expect(await openSocket({ cookie, origin: `http://${local}`, host: local })).toBeInstanceOf(WebSocket);
});

test('sec-E03: a foreign, missing or repeated Host is refused before anything else', async () => {
  const cookie = await signIn();
  const { port } = server;
  const wrong = [
    `evil.test:${port}`,
    `localhost.evil.test:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `0.0.0.0:${port}`,
    '',
  ];
  for (const host of wrong) {
    expect([host, (await ask('/', { headers: { host, cookie } })).status]).toEqual([host, 403]);
  }
  const own = `Host: 127.0.0.1:${port}`;
  const rest = [`Cookie: ${cookie}`, 'Connection: close'];
  expect(await askRaw(['GET / HTTP/1.1', ...rest])).toContain('403');
  expect(await askRaw(['GET / HTTP/1.0', ...rest])).toContain('403');
  expect(await askRaw(['GET / HTTP/1.1', own, own, ...rest])).toContain('403');
  expect(await askRaw(['GET / HTTP/1.1', own, 'Host: evil.test', ...rest])).toContain('403');
  expect(await askRaw(['GET http://evil.test/ HTTP/1.1', own, ...rest])).toContain('400');
  expect(await askRaw(['GET / HTTP/1.1', own, ...rest])).toContain('200');
  for (const host of [`localhost:${port}`, `[::1]:${port}`]) {
    expect((await ask('/', { headers: { host, cookie } })).status).toBe(200);
  }
});

test('sec-E04: only loopback is bound', async ({ skip }) => {
  const outside = Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .find((address) => address.family === 'IPv4' && !address.internal);
  if (!outside) return skip('This machine has no address but loopback.');
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: outside.address, port: server.port, timeout: 2000 });
    socket.on('connect', () => resolve(false));
    socket.on('error', () => resolve(true));
    socket.on('timeout', () => resolve(true));
  });
  expect(refused).toBe(true);
});

test('sec-E05: a request that changes something must come from our page and carry JSON', async () => {
  const cookie = await signIn();
  const own = `http://127.0.0.1:${server.port}`;
  const json = { 'content-type': 'application/json' };
  const post = async (headers: Record<string, string>) =>
    (await ask('/api/links', { method: 'POST', headers, body: '{}' })).status;
  expect(await post({ cookie, origin: own, ...json })).toBe(200);
  expect(await post({ cookie, origin: own, 'content-type': 'application/json; charset=utf-8' })).toBe(200);
  expect(await post({ cookie, origin: own, 'content-type': 'text/plain' })).toBe(403);
  expect(await post({ cookie, origin: own })).toBe(403);
  expect(await post({ cookie, ...json })).toBe(403);
  expect(await post({ cookie, origin: 'null', ...json })).toBe(403);
  expect(await post({ cookie, origin: own, ...json, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await post({ cookie, origin: own, ...json, 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await post({ cookie, origin: own, ...json, 'sec-fetch-site': 'same-origin' })).toBe(200);
  const read = { cookie, 'sec-fetch-site': 'cross-site' };
  expect((await ask('/', { headers: read })).status).toBe(403);
});

test('sec-E05: a script with the API token needs no Origin, but a foreign one is refused', async () => {
  const headers = { authorization: `Bearer ${server.apiToken}`, 'content-type': 'application/json' };
  const post = async (more: Record<string, string>) =>
    (await ask('/api/links', { method: 'POST', headers: { ...headers, ...more }, body: '{}' })).status;
  expect(await post({})).toBe(200);
  expect(await post({ origin: 'https://evil.test' })).toBe(403);
  expect(await post({ 'content-type': 'text/plain' })).toBe(403);
});

test('sec-E06: the link works once, gives a cookie that scripts and other sites never see, and leaves the address', async () => {
  const link = new URL(server.newLink());
  const target = link.pathname + link.search;
  expect((await ask(target, { method: 'HEAD' })).status).toBe(401);
  const first = await ask(target);
  expect(first.status).toBe(302);
  expect(first.headers.location).toBe('/');
  expect(first.headers['referrer-policy']).toBe('no-referrer');
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(new RegExp(`^lathe_${server.port}_[0-9a-f]+=`));
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('SameSite=Strict');
  expect(cookie).not.toContain(link.searchParams.get('t'));
  const second = await ask(target);
  expect(second.status).toBe(401);
  expect(second.headers['set-cookie']).toBeUndefined();
  expect((await ask('/', { headers: { cookie: `other=1; ${cookie.split(';')[0]}` } })).status).toBe(200);
});

test('sec-E09, sec-D06: every answer forbids framing, sniffing and foreign content', async () => {
  const cookie = await signIn();
  const answers = [
    await ask('/', { headers: { cookie } }),
    await ask('/'),
    await ask('/', { headers: { host: 'evil.test' } }),
    await ask('/api/session', { headers: { cookie } }),
  ];
  for (const { headers } of answers) {
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe-eval');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const page = answers[0]?.headers['content-security-policy'];
  expect(page).toContain(`connect-src 'self' ws://127.0.0.1:${server.port};`);
});

test('files of the window have their type and caching; nothing outside the folder can be had', async () => {
  const headers = { cookie: await signIn() };
  const page = await ask('/', { headers });
  expect([page.status, page.headers['content-type'], page.headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-cache',
  ]);
  const script = await ask('/assets/app-B4x_9zQ1.js', { headers });
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(script.headers['cache-control']).toContain('immutable');
  const font = await ask('/assets/icons.ttf', { headers });
  expect([font.headers['content-type'], font.headers['cache-control']]).toEqual(['font/ttf', 'no-cache']);
  const hidden = [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/link.txt',
    '/%00',
    '/%E0%A4%A',
    `/${encodeURIComponent(path.join(root, 'secret.txt'))}`,
    '//etc/passwd',
    '/assets',
  ];
  for (const target of hidden) {
    const { status, body } = await ask(target, { headers });
    expect([target, status === 404 || status === 400, body.includes('secret\n')]).toEqual([
      target,
      true,
      false,
    ]);
    expect(body).not.toBe('secret');
  }
  const written = await ask('/index.html', {
    method: 'PUT',
    headers: { ...headers, origin: `http://127.0.0.1:${server.port}`, 'content-type': 'application/json' },
  });
  expect(written.status).toBe(405);
});

test('the socket answers requests and streams, in several windows at once', async () => {
  const cookie = await signIn();
  const origin = `http://127.0.0.1:${server.port}`;
  const sockets = [await openSocket({ cookie, origin }), await openSocket({ cookie, origin })] as WebSocket[];
  for (const socket of sockets) {
    const frames = framesOf(socket);
    socket.send(JSON.stringify({ type: 'req', id: 1, channel: 'clock.now', input: null }));
    socket.send(JSON.stringify({ type: 'req', id: 2, channel: 'clock.none', input: null }));
    socket.send(JSON.stringify({ type: 'sub', id: 3, channel: 'clock.ticks', params: { upTo: 2 } }));
    await expect.poll(() => frames).toHaveLength(4);
    expect(frames.toSorted((a, b) => Number(a['id']) - Number(b['id']))).toMatchObject([
      { type: 'res', id: 1, envelope: { ok: true, value: 12 } },
      { type: 'res', id: 2, envelope: { ok: false, error: { code: 'bad_argument' } } },
      { type: 'evt', id: 3, payload: { n: 1 } },
      { type: 'evt', id: 3, payload: { n: 2 } },
    ]);
  }
});

test('a window that stops acknowledging stops its stream; acknowledging goes on; leaving aborts it', async () => {
  const socket = await openClient();
  const frames = framesOf(socket);
  socket.send(JSON.stringify({ type: 'sub', id: 1, channel: 'clock.ticks', params: { upTo: 1_000_000 } }));
  await expect.poll(() => frames).toHaveLength(32);
  expect(produced.count).toBe(33);
  socket.send(JSON.stringify({ type: 'ack', id: 1, count: 32 }));
  await expect.poll(() => frames).toHaveLength(64);
  expect(produced.count).toBe(65);
  socket.terminate();
  await expect.poll(() => aborted).toContain(1_000_000);
});

test('what is no frame ends the connection', async () => {
  for (const text of ['{', '[]', '{"type":"req"}', '{"type":"boom","id":1}']) {
    const socket = await openClient();
    const code = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.send(text);
    expect(await code).toBe(1007);
  }
});

test('a window that answers no ping is dropped; one that does stays', async () => {
  const cookie = await signIn();
  const origin = `http://127.0.0.1:${server.port}`;
  const dead = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, {
    headers: { cookie, origin },
    autoPong: false,
  });
  const living = await openClient();
  const closed = new Promise<number>((resolve) => dead.on('close', resolve));
  expect(await closed).toBe(1006);
  expect(living.readyState).toBe(WebSocket.OPEN);
});

test('a taken port is said so', async () => {
  const again = startServer({
    router,
    port: server.port,
    rendererDir: root,
    log: { error: () => {} },
  });
  await expect(again).rejects.toMatchObject({
    code: 'conflict',
    message: `Port ${server.port} is used by another program.`,
  });
});
