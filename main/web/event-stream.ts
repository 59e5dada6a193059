import type { ServerResponse } from 'node:http';

/** Comments keep proxies and scripts from taking a thinking model for a dead connection. */
const KEEP_ALIVE_MS = 15_000;
/** A reader that lets this much pile up is cut off; the turn goes on and stays readable in the session. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

export interface EventStream {
  send(event: string, data: unknown): void;
  end(): void;
}

/** Begins a `text/event-stream` answer. Sending after the client has gone does nothing. */
export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
    else response.write(text);
  };
  const keepAlive = setInterval(() => write(': keep-alive\n\n'), KEEP_ALIVE_MS);
  response.on('close', () => clearInterval(keepAlive));
  return {
    // JSON has no line breaks of its own, so one data line always does.
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => {
      clearInterval(keepAlive);
      if (!response.writableEnded) response.end();
    },
  };
}
