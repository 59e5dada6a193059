import type { Agent as HttpAgent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { request as secureRequest } from 'node:https';
import type { Readable } from 'node:stream';
import type { HttpReply, HttpRequest } from './http-reply';
import { sendThroughProxy, usesProxy } from './http-proxy';

/** `code` of the error thrown when connecting took longer than `connectMs`. */
export const CONNECT_TIMEOUT = 'LATHE_CONNECT_TIMEOUT';

/** Environment variables that name proxies; the only ones that are read. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * Sends one request and resolves with the head of the response. Connections are kept alive and reused; a reused one
 * that turns out to be closed is replaced at once, once (fault-F20). Firing `signal` closes the socket at once, also
 * while the body is being read. Redirects are not followed: a key must not travel to another host.
 *
 * Built on node:http, because loading fetch costs a start of the process 50 to 90 ms; proxies take undici.
 *
 * @throws the network's own error (`code` ECONNREFUSED …), {@link CONNECT_TIMEOUT}, or the signal's AbortError
 */
export async function sendHttp(request: HttpRequest, env: ProxyEnv = process.env): Promise<HttpReply> {
  request.signal.throwIfAborted();
  const reply = usesProxy(request.url, env)
    ? await sendThroughProxy(request, env)
    : await sendDirect(request);
  closeOnAbort(reply.body, request.signal);
  return decompressed(reply);
}

function closeOnAbort(body: Readable, signal: AbortSignal): void {
  const close = (): void => void body.destroy(abortError(signal));
  signal.addEventListener('abort', close, { once: true });
  body.once('close', () => signal.removeEventListener('abort', close));
  // A body that is closed while nobody reads it must not end the process.
  body.on('error', () => undefined);
}

const abortError = (signal: AbortSignal): Error =>
  signal.reason instanceof Error
    ? signal.reason
    : new DOMException('This operation was aborted', 'AbortError');

interface Transport {
  request(url: URL, options: RequestOptions, onResponse: (message: IncomingMessage) => void): ClientRequest;
  agent: HttpAgent;
}

const transports = new Map<string, Promise<Transport>>();

/**
 * The request function and agent of a scheme. Importing node:http as a module reads all that it exports, which loads the
 * whole of Node's own undici (17 ms with Node 24): node:https doesn't, its agent is derived from the plain one, and its
 * `request` goes by the agent it is given.
 */
async function loadTransport(
  protocol: string,
): Promise<{ request: typeof secureRequest; Agent: typeof HttpAgent }> {
  const { request, Agent } = await import('node:https');
  if (protocol === 'https:') return { request, Agent };
  const Plain: unknown = Object.getPrototypeOf(Agent);
  return isAgentClass(Plain) ? { request, Agent: Plain } : await import('node:http');
}

const isAgentClass = (value: unknown): value is typeof HttpAgent =>
  typeof value === 'function' && value !== Function.prototype && value.name === 'Agent';

/** Each scheme is loaded when first used. */
function transportFor(protocol: string): Promise<Transport> {
  const known = transports.get(protocol);
  if (known !== undefined) return known;
  const loading = loadTransport(protocol);
  const transport = loading.then(({ request, Agent }) => ({
    request: (url: URL, options: RequestOptions, onResponse: (message: IncomingMessage) => void) =>
      request(url, options, onResponse),
    agent: new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 0 }),
  }));
  transports.set(protocol, transport);
  return transport;
}

/** Loads what a request to this address needs, ahead of it. */
export async function warmHttp(url: URL): Promise<void> {
  await transportFor(url.protocol);
}

async function sendDirect(request: HttpRequest): Promise<HttpReply> {
  const transport = await transportFor(request.url.protocol);
  try {
    return await attempt(request, transport);
  } catch (error) {
    if (!(error instanceof StaleSocketError) || request.signal.aborted) throw unwrapStale(error);
    return await attempt(request, transport).catch((again: unknown) => {
      throw unwrapStale(again);
    });
  }
}

/** The server had closed a kept-alive connection before our request reached it. */
class StaleSocketError extends Error {}

const unwrapStale = (error: unknown): unknown => (error instanceof StaleSocketError ? error.cause : error);

function attempt(request: HttpRequest, transport: Transport): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const { method, headers, signal } = request;
    const client = transport.request(request.url, { method, headers, agent: transport.agent }, (message) => {
      settle();
      resolve(replyOf(message));
    });
    const onAbort = (): void => void client.destroy(abortError(signal));
    const stopConnectClock = limitConnect(client, request.connectMs);
    const settle = (): void => {
      stopConnectClock();
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    client.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      const stale = client.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale ? new StaleSocketError('stale socket', { cause: error }) : error);
    });
    client.end(request.body);
  });
}

function limitConnect(client: ClientRequest, connectMs: number): () => void {
  const timer = setTimeout(() => {
    const error: NodeJS.ErrnoException = new Error('The connection was not made in time.');
    error.code = CONNECT_TIMEOUT;
    client.destroy(error);
  }, connectMs);
  const stop = (): void => clearTimeout(timer);
  client.once('socket', (socket) => {
    if (!socket.connecting) stop();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
  });
  return stop;
}

const replyOf = (message: IncomingMessage): HttpReply => ({
  status: message.statusCode ?? 0,
  header: (name) => {
    const value = message.headers[name];
    return Array.isArray(value) ? value[0] : value;
  },
  body: message,
});

/** Undoes a compression that a proxy put on although none was asked for. */
async function decompressed(reply: HttpReply): Promise<HttpReply> {
  const encoding = (reply.header('content-encoding') ?? '').trim().toLowerCase();
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding)) return reply;
  const zlib = await import('node:zlib');
  const { pipeline } = await import('node:stream');
  const unpacked = encoding === 'br' ? zlib.createBrotliDecompress() : zlib.createUnzip();
  // The failure reaches the reader through `unpacked`.
  pipeline(reply.body, unpacked, () => undefined);
  return { ...reply, body: unpacked };
}
