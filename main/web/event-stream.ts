import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Comments keep proxies and scripts from taking a thinking model for a dead connection. */
const KEEP_ALIVE_MS = 15_000;

export interface EventStream {
  /** Resolves when the client has room for more. Sending after it has gone does nothing. */
  send(event: string, data: unknown): Promise<void>;
  end(): void;
}

/** Begins a `text/event-stream` answer. */
export function openEventStream(response: ServerResponse, signal: AbortSignal): EventStream {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  const write = async (text: string): Promise<void> => {
    if (signal.aborted || response.writableEnded || response.write(text)) return;
    await once(response, 'drain', { signal }).catch(() => {
      // The client has gone while it was behind; whoever sends sees the signal.
    });
  };
  const keepAlive = setInterval(() => void write(': keep-alive\n\n'), KEEP_ALIVE_MS);
  signal.addEventListener('abort', () => clearInterval(keepAlive), { once: true });
  return {
    // JSON has no line breaks of its own, so one data line always does.
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => {
      clearInterval(keepAlive);
      response.end();
    },
  };
}
