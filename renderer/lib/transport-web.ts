import type { ClientFrame } from '../../shared/contract/frames';
import type { Transport } from './client';
import { failed, parseHostFrame } from './frames';
import { openReconnectingSocket, type SocketOptions } from './reconnecting-socket';
import { logStreamFailure } from './transport-electron';
import { createRequestTable, createStreamTable } from './wire-tables';

export interface WebTransportOptions extends Partial<
  Pick<SocketOptions, 'url' | 'checkSession' | 'backoffMs'>
> {
  /** Told when a stream ends with a failure; the pane that holds it gets no more messages. */
  onStreamFailure?: (channel: string, message: string) => void;
}

export interface WebTransport extends Transport {
  /** Ends the connection for good. */
  close(): void;
}

/**
 * Talks to the web host over one WebSocket. After a loss it reconnects and subscribes everything again; requests that
 * were under way fail and say so, because whether the host acted on them is unknown.
 */
export function createWebTransport(options: WebTransportOptions = {}): WebTransport {
  let nextId = 1;
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame));
  const streams = createStreamTable(send, options.onStreamFailure ?? logStreamFailure);
  const requests = createRequestTable(send);
  const socket = openReconnectingSocket({
    url: options.url ?? socketAddress(),
    checkSession: options.checkSession ?? askForSession,
    backoffMs: options.backoffMs ?? { first: 250, most: 5000 },
    onOpen: () => {
      streams.reopen();
      requests.flush();
    },
    onText: (text) => {
      const frame = parseHostFrame(text);
      if (frame?.type === 'res') requests.settle(frame.id, frame.envelope);
      else if (frame?.type === 'evt') streams.message(frame.id, frame.payload);
      else if (frame?.type === 'end') streams.ended(frame.id, frame.error);
    },
    onLost: (status) => requests.settleAll(DISCONNECTED[status]),
  });

  const invoke: Transport['invoke'] = (channel, input) => {
    const status = socket.status.get();
    if (status === 'lost' || status === 'unauthorized') return Promise.resolve(DISCONNECTED[status]);
    const id = nextId++;
    return requests.add(id, { type: 'req', id, channel, input });
  };
  const subscribe: Transport['subscribe'] = (channel, params, onMessage) => {
    const id = nextId++;
    streams.open(id, channel, params, onMessage);
    return () => streams.close(id);
  };
  const close = () => {
    socket.close();
    requests.settleAll(DISCONNECTED.lost);
  };
  return { invoke, subscribe, status: socket.status, close };
}

const DISCONNECTED = {
  lost: failed(
    'io_failed',
    'The connection to the Lathe host was lost.',
    'It is being restored. Look at what was done before you try again.',
  ),
  unauthorized: failed(
    'unauthorized',
    'This window is no longer signed in to the Lathe host.',
    'Open the address that `lathe serve` printed.',
  ),
};

function socketAddress(): string {
  const address = new URL('ws', document.baseURI);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = '';
  address.hash = '';
  return address.href;
}

/** A refused WebSocket does not tell a page why; a plain request does. */
async function askForSession(): Promise<boolean | null> {
  try {
    const reply = await fetch(new URL('api/session', document.baseURI), {
      signal: AbortSignal.timeout(5000),
    });
    return reply.status !== 401;
  } catch {
    return null;
  }
}
