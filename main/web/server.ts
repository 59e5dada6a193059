import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../shared/error';
import type { Router } from '../rpc/router';
import { checkCaller, checkContentType, checkHost, checkUpgradeOrigin } from './guard';
import type { HostLog } from './host-log';
import { createRest, type Rest } from './rest';
import { sendFailure, sendText, setSecurityHeaders, UNAUTHORIZED_PAGE } from './reply';
import { createSignIn, type SignIn } from './sign-in';
import { createSocketHost, type SocketHost } from './socket';
import { findStaticFile, sendFile } from './static-files';

/** The only address ever bound (sec-E04). */
const LOOPBACK = '127.0.0.1';

export interface ServerOptions {
  router: Router;
  /** 0 = any free port. */
  port: number;
  rendererDir: string;
  log: HostLog;
  pingMs?: number;
}

export interface RunningServer {
  port: number;
  apiToken: string;
  newLink(): string;
  close(): Promise<void>;
}

interface Site extends Pick<ServerOptions, 'rendererDir' | 'log'> {
  port: number;
  signIn: SignIn;
  rest: Rest;
  sockets: SocketHost;
}

/**
 * Serves window, socket and REST on loopback, every route behind the same checks.
 *
 * @throws AppError `conflict` when the port is taken
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  // Node would answer a request without Host by itself, before our checks.
  const server = createServer({ requireHostHeader: false });
  const port = await listen(server, options.port);
  const signIn = createSignIn(port);
  const newLink = () => `http://${LOOPBACK}:${port}/?t=${signIn.newLinkToken()}`;
  const sockets = createSocketHost(options.router, options.pingMs);
  const site: Site = {
    ...options,
    port,
    signIn,
    sockets,
    rest: createRest({ router: options.router, newLink }),
  };
  server.on('request', (request, response) => void answer(site, request, response));
  server.on('upgrade', (request, socket, head) => upgrade(site, request, socket, head));
  const close = async () => {
    sockets.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return { port, apiToken: signIn.apiToken, newLink, close };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, port)));
    server.listen({ host: LOOPBACK, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenFailure(error: NodeJS.ErrnoException, port: number): AppError {
  if (error.code === 'EADDRINUSE') {
    return new AppError('conflict', `Port ${port} is used by another program.`, {
      hint: 'Choose another with --port, or leave it out to get a free one.',
      cause: error,
    });
  }
  return new AppError('io_failed', `Could not listen on ${LOOPBACK}:${port}: ${error.message}.`, {
    hint: 'Ports below 1024 need special rights; choose a higher one with --port.',
    cause: error,
  });
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await route(site, request, response);
  } catch (error) {
    site.log.error('request failed', { path: request.url?.split('?')[0], error });
    if (response.headersSent) response.destroy();
    else sendText(response, 500, 'Something went wrong; the log of Lathe says what.\n');
  }
}

/** Host, then caller, then session, then content type; only then does a route see the request. */
async function route(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const wrongHost = checkHost(request, site.port);
  setSecurityHeaders(response, wrongHost ? null : (request.headers.host ?? null));
  if (wrongHost) return sendText(response, wrongHost.status, `${wrongHost.reason}\n`);
  const bearer = site.signIn.hasApiToken(request);
  const wrongCaller = checkCaller(request, bearer);
  if (wrongCaller) return sendText(response, wrongCaller.status, `${wrongCaller.reason}\n`);
  const url = parseUrl(request);
  if (!url) return sendText(response, 400, 'Bad request.\n');
  if (request.method === 'GET' && url.pathname === '/' && url.searchParams.has('t')) {
    return signInByLink(site, url.searchParams.get('t') ?? '', response);
  }
  if (!bearer && !site.signIn.hasSession(request)) return refuseStranger(url, response);
  const wrongType = checkContentType(request);
  if (wrongType) return sendText(response, wrongType.status, `${wrongType.reason}\n`);
  if (isApi(url)) return site.rest(request, response, url);
  return serveWindow(site, request, response, url);
}

const isApi = (url: URL): boolean => url.pathname === '/api' || url.pathname.startsWith('/api/');

/** Paths only: an absolute address in the request line belongs to proxies, which this is not. */
function parseUrl(request: IncomingMessage): URL | null {
  const target = request.url ?? '';
  return target.startsWith('/') && !target.startsWith('//') ? URL.parse(target, `http://${LOOPBACK}`) : null;
}

function signInByLink(site: Site, token: string, response: ServerResponse): void {
  const cookie = site.signIn.exchange(token);
  if (cookie === null) return sendText(response, 401, UNAUTHORIZED_PAGE, 'text/html; charset=utf-8');
  response.writeHead(302, { Location: '/', 'Set-Cookie': cookie, 'Content-Length': 0 });
  response.end();
}

function refuseStranger(url: URL, response: ServerResponse): void {
  if (!isApi(url)) return sendText(response, 401, UNAUTHORIZED_PAGE, 'text/html; charset=utf-8');
  const error = new AppError('unauthorized', 'Not signed in.', {
    hint: 'Send the token that `lathe serve --json` printed as "Authorization: Bearer …".',
  });
  sendFailure(response, error.toShape());
}

async function serveWindow(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return sendText(response, 405, 'Only GET here.\n');
  const file = await findStaticFile(site.rendererDir, rawPath(request));
  if (file)
    return sendFile(response, site.rendererDir, file, (error) => site.log.error('file failed', { error }));
  if (url.pathname === '/') return sendText(response, 503, NOT_BUILT);
  sendText(response, 404, 'Not found.\n');
}

/** As sent: URL parsing folds `..` away, and what asks for it should find nothing rather than something else. */
const rawPath = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? '';

const NOT_BUILT = 'The window is not built: run "npm run build".\n';

function upgrade(site: Site, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => socket.destroy());
  const refusal = checkHost(request, site.port) ?? checkUpgradeOrigin(request);
  if (refusal) return refuseUpgrade(socket, '403 Forbidden');
  if (!site.signIn.hasSession(request) && !site.signIn.hasApiToken(request)) {
    return refuseUpgrade(socket, '401 Unauthorized');
  }
  if (rawPath(request) !== '/ws') return refuseUpgrade(socket, '404 Not Found');
  const { server } = site.sockets;
  server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request));
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
