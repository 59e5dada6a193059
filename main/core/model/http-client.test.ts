import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CONNECT_TIMEOUT, sendHttp } from './http-client';
import { isLoopbackHost, usesProxy } from './http-proxy';
import { readText, type HttpRequest } from './http-reply';

const get = (url: string, changes: Partial<HttpRequest> = {}): HttpRequest => ({
  url: new URL(url),
  method: 'GET',
  headers: {},
  signal: new AbortController().signal,
  connectMs: 5000,
  ...changes,
});

test('proxies are taken from the environment, except for this machine and excluded hosts', () => {
  const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'internal.example, .corp.example:8443' };
  const uses = (url: string): boolean => usesProxy(new URL(url), env);
  expect(uses('https://api.openai.com/v1')).toBe(true);
  expect(uses('http://api.openai.com/v1')).toBe(false);
  expect(uses('https://internal.example/v1')).toBe(false);
  expect(uses('https://a.internal.example/v1')).toBe(false);
  expect(uses('https://notinternal.example/v1')).toBe(true);
  expect(uses('https://a.corp.example:8443/v1')).toBe(false);
  expect(uses('https://a.corp.example/v1')).toBe(true);
  expect(uses('https://localhost/v1')).toBe(false);
  expect(usesProxy(new URL('https://x.example'), { ...env, NO_PROXY: '*' })).toBe(false);
  expect(usesProxy(new URL('https://x.example'), {})).toBe(false);
});

test('loopback addresses are known in all their forms', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', 'app.localhost'])
    expect(isLoopbackHost(host)).toBe(true);
  for (const host of ['127.0.0.1.example.com', 'example.com', '10.0.0.1'])
    expect(isLoopbackHost(host)).toBe(false);
});

test('a request goes through the proxy that the environment names', async () => {
  const target = createHttp((request, response) => response.end(`host ${request.headers.host ?? ''}`)).listen(
    0,
    '127.0.0.1',
  );
  await once(target, 'listening');
  const asked: string[] = [];
  const proxy = createHttp().listen(0, '127.0.0.1');
  proxy.on('connect', (request: IncomingMessage, socket) => {
    asked.push(request.url ?? '');
    const upstream = connect((target.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  proxy.on('request', (request, response) => {
    asked.push(request.url ?? '');
    response.end(`host ${request.headers.host ?? ''}`);
  });
  await once(proxy, 'listening');
  const env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const reply = await sendHttp(get('http://model.example/v1/models'), env);
  expect(reply.status).toBe(200);
  expect(await readText(reply.body, 1000)).toContain('host model.example');
  expect(asked[0]).toContain('model.example');
  target.closeAllConnections();
  target.close();
  proxy.closeAllConnections();
  proxy.close();
});

test('a compressed body is unpacked', async () => {
  const server = createHttp((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('data: hello\n\n'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reply = await sendHttp(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  expect(await readText(reply.body, 1000)).toBe('data: hello\n\n');
  server.close();
});

test('a TLS server that never shakes hands ends at the connect limit', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await expect(sendHttp(get(url, { connectMs: 80 }))).rejects.toMatchObject({ code: CONNECT_TIMEOUT });
  server.close();
});

test('an aborted body is closed at once', async () => {
  const server = createHttp((_request, response) => void response.writeHead(200).write('begin')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const stop = new AbortController();
  const reply = await sendHttp(
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { signal: stop.signal }),
  );
  const text = readText(reply.body, 1000);
  stop.abort();
  await expect(text).rejects.toThrow();
  expect(reply.body.destroyed).toBe(true);
  server.closeAllConnections();
  server.close();
});
