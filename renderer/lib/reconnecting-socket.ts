import { createStore, type ReadableStore } from './store';

export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'unauthorized';

export interface SocketOptions {
  url: string;
  /** Whether the host still knows this window's session: false after 401, null when it can't be reached. */
  checkSession: () => Promise<boolean | null>;
  backoffMs: { first: number; most: number };
  onOpen: () => void;
  onText: (text: unknown) => void;
  /** Called once per loss, before the next attempt. */
  onLost: (status: 'lost' | 'unauthorized') => void;
}

export interface ReconnectingSocket {
  readonly status: ReadableStore<ConnectionStatus>;
  /** Does nothing while the connection is not open. */
  send(text: string): void;
  close(): void;
}

/**
 * One WebSocket that comes back, with growing pauses between attempts. A host that no longer knows the session is asked
 * again as well: opening its new address in another tab signs this page in too, as tabs share their cookies.
 */
export function openReconnectingSocket(options: SocketOptions): ReconnectingSocket {
  const status = createStore<ConnectionStatus>('connecting');
  let socket: WebSocket;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let closed = false;

  const connect = () => {
    socket = new WebSocket(options.url);
    socket.onopen = () => {
      attempts = 0;
      options.onOpen();
      status.set('open');
    };
    socket.onmessage = (event) => options.onText(event.data);
    // An error event says nothing that the close event after it doesn't.
    socket.onclose = () => void lost();
  };
  const lost = async () => {
    if (closed) return;
    status.set('lost');
    options.onLost('lost');
    const known = await options.checkSession();
    if (closed) return;
    if (known === false) return refused();
    attempts += 1;
    retry = setTimeout(connect, pauseMs(attempts, options.backoffMs));
  };
  const refused = () => {
    if (status.get() !== 'unauthorized') {
      status.set('unauthorized');
      options.onLost('unauthorized');
    }
    attempts += 1;
    retry = setTimeout(() => void askAgain(), pauseMs(attempts, options.backoffMs));
  };
  const askAgain = async () => {
    const known = await options.checkSession();
    if (closed) return;
    if (known === true) connect();
    else refused();
  };
  const close = () => {
    closed = true;
    clearTimeout(retry);
    socket.close();
  };
  connect();
  return {
    status,
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close,
  };
}

/** Doubles up to `most`, less up to a quarter by chance, so that several windows don't knock at the same moment. */
const pauseMs = (attempt: number, { first, most }: { first: number; most: number }): number =>
  Math.min(most, first * 2 ** (attempt - 1)) * (1 - Math.random() / 4);
