import { readBody, type BodyFrame } from './body-reader';
import { CallIds } from './call-ids';
import type { Endpoint } from './errors';
import { cancelledError, ModelError } from './model-error';
import type { ModelReply, ModelStreamEvent } from './port';
import { ReplyBuilder } from './reply-builder';

export interface DecodeOptions {
  endpoint: Endpoint;
  /** Goes into `opaque.provider`, so that the data returns to its own provider only. */
  providerId: string;
  /** Call ids that the conversation already uses. */
  takenIds?: Iterable<string>;
  signal?: AbortSignal;
  /** Called for every frame with data, not for comments: progress, as against being alive. */
  onData?: () => void;
  /** How long to wait for usage and the end marker once the reply is complete, in milliseconds. */
  lingerMs?: number;
}

/** Servers that send neither an end marker nor an end get this long after the finish reason. */
const LINGER_MS = 2000;

/**
 * Decodes the body of a chat-completions response, streamed or not, as it arrives. Returns as soon as the end marker
 * is there, without waiting for the connection; the body's iterator is then returned, never left hanging.
 *
 * @param body the bytes; a web ReadableStream, a Node stream or any iterable of chunks
 * @throws ModelError – with `partial` set to what had streamed
 */
export async function* decodeChatReply(
  body: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<ModelStreamEvent, ModelReply> {
  const builder = new ReplyBuilder(options.endpoint, options.providerId, new CallIds(options.takenIds));
  yield* takeFrames(readBody(body), builder, options);
  yield* builder.flush();
  return builder.finish();
}

async function* takeFrames(
  frames: AsyncGenerator<BodyFrame[]>,
  builder: ReplyBuilder,
  options: DecodeOptions,
): AsyncGenerator<ModelStreamEvent, void> {
  try {
    for (;;) {
      const batch = await nextBatch(frames, builder, options);
      if (batch === null) return;
      for (const frame of batch) {
        options.onData?.();
        yield* builder.take(frame);
      }
      if (builder.closed) return;
    }
  } finally {
    // Not awaited: a body that is still silent would hold the finished reply back. Its failure no longer matters.
    frames.return(undefined).catch(() => undefined);
  }
}

async function nextBatch(
  frames: AsyncGenerator<BodyFrame[]>,
  builder: ReplyBuilder,
  options: DecodeOptions,
): Promise<BodyFrame[] | null> {
  try {
    const next = frames.next();
    const step = builder.finished ? await withLimit(next, options.lingerMs ?? LINGER_MS) : await next;
    return step === null || step.done === true ? null : step.value;
  } catch (error) {
    // A connection that breaks after the finish reason has lost nothing.
    if (builder.finished && options.signal?.aborted !== true) return null;
    throw asModelError(error, builder, options);
  }
}

function asModelError(error: unknown, builder: ReplyBuilder, options: DecodeOptions): ModelError {
  const { partial, insideCall } = builder;
  if (options.signal?.aborted === true) return cancelledError(partial);
  if (error instanceof ModelError) return error.with({ partial, insideCall });
  return builder.interrupted(error);
}

/** `promise`, or null when it takes longer than `ms`. */
async function withLimit<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}
