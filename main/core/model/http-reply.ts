import type { Readable } from 'node:stream';

/** A response whose body is still on its way. */
export interface HttpReply {
  status: number;
  header(name: string): string | undefined;
  body: Readable;
}

export interface HttpRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** Time for name look-up, TCP and TLS together, in milliseconds. */
  connectMs: number;
}

/** How long a body that nobody reads any more may take to end, so that its connection can be used again. */
const SETTLE_MS = 500;

/**
 * Lets go of a body: one that ends by itself within half a second gives its connection back, any other is closed.
 * Errors of the abandoned body are of no interest to anybody.
 */
export function releaseBody(body: Readable): void {
  if (body.closed || body.destroyed) return;
  body.on('error', () => undefined);
  const timer = setTimeout(() => body.destroy(), SETTLE_MS);
  timer.unref();
  body.once('close', () => clearTimeout(timer));
  body.resume();
}

/**
 * Gives the end of a body that is read as far as it matters one turn of the event loop to arrive: it usually follows
 * the end marker at once, and then a request that waits for this finds the connection free instead of opening another.
 */
export function settleBody(body: Readable): Promise<void> {
  if (body.readableEnded || body.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    body.once('close', resolve);
    body.resume();
    setImmediate(() => setImmediate(resolve));
  });
}

/**
 * The body's chunks; leaving the loop early does not close the connection (see {@link releaseBody}).
 *
 * @param onChunk called for every chunk, for the idle clock
 */
export async function* chunksOf(body: Readable, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    onChunk();
    yield chunk as Uint8Array;
  }
}

/** The body as text, at most `limitBytes`; what is longer is cut. Destroys a body that is cut. */
export async function readText(body: Readable, limitBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    const piece = chunk as Uint8Array;
    bytes += piece.byteLength;
    text += decoder.decode(piece, { stream: true });
    if (bytes >= limitBytes) break;
  }
  return text + decoder.decode();
}
