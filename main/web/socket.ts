import { randomUUID } from 'node:crypto';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { ClientFrame, type HostFrame, MAX_FRAME_BYTES } from '../../shared/contract/frames';
import { AppError } from '../../shared/error';
import type { Router } from '../rpc/router';
import { createSubscriptions, type Subscriptions } from '../rpc/subscriptions';

/** A window that answers no ping for two of these is gone (laptop closed, tunnel dead). */
const PING_MS = 15_000;
/** Requests of one window at a time; a page has a handful. */
const MAX_REQUESTS = 256;
/** Bytes that may wait to be sent to one window before it counts as gone. */
const MAX_BUFFERED_BYTES = 2 * MAX_FRAME_BYTES;

export interface SocketHost {
  readonly server: WebSocketServer;
  /** Ends every connection. */
  close(): void;
}

/** Speaks the frames of the contract with every connected window; `server.handleUpgrade` comes from the HTTP side. */
export function createSocketHost(router: Router, pingMs = PING_MS): SocketHost {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  const alive = new WeakSet<WebSocket>();
  server.on('connection', (socket) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    serveClient(socket, router);
  });
  const beat = setInterval(() => {
    for (const socket of server.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, pingMs);
  beat.unref();
  const close = () => {
    clearInterval(beat);
    for (const socket of server.clients) socket.terminate();
    server.close();
  };
  return { server, close };
}

function serveClient(socket: WebSocket, router: Router): void {
  const gone = new AbortController();
  const context = { clientId: randomUUID(), signal: gone.signal };
  const send = (frame: HostFrame) => sendFrame(socket, frame);
  const subscriptions = createSubscriptions({
    router,
    clientId: context.clientId,
    deliver: (frame) =>
      frame.kind === 'message'
        ? send({ type: 'evt', id: frame.id, payload: frame.payload })
        : send({ type: 'end', id: frame.id, ...(frame.error ? { error: frame.error } : {}) }),
  });
  let running = 0;
  const request = async (frame: Extract<ClientFrame, { type: 'req' }>) => {
    if (running >= MAX_REQUESTS) return send({ type: 'res', id: frame.id, envelope: TOO_MANY });
    running += 1;
    const envelope = await router.dispatch(frame.channel, frame.input, context);
    running -= 1;
    send({ type: 'res', id: frame.id, envelope });
  };
  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? null : parseFrame(data);
    // Nothing of ours sends anything else; guessing what was meant helps nobody.
    if (!frame) return socket.close(1007, 'Not a frame');
    if (frame.type === 'req') void request(frame);
    else applyToStream(subscriptions, frame);
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    gone.abort();
    subscriptions.closeAll();
  });
}

function applyToStream(subscriptions: Subscriptions, frame: Exclude<ClientFrame, { type: 'req' }>): void {
  if (frame.type === 'sub') subscriptions.open(frame.id, frame.channel, frame.params);
  else if (frame.type === 'ack') subscriptions.acknowledge(frame.id, frame.count);
  else subscriptions.close(frame.id);
}

const TOO_MANY = {
  ok: false,
  error: new AppError('busy', 'Too many requests at a time from one window.', {
    hint: 'Reload the window.',
  }).toShape(),
} as const;

function sendFrame(socket: WebSocket, frame: HostFrame): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return socket.terminate();
  socket.send(JSON.stringify(frame));
}

function parseFrame(data: RawData): ClientFrame | null {
  try {
    return ClientFrame.safeParse(JSON.parse((data as Buffer).toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
