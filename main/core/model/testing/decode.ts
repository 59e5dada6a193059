import { decodeChatReply } from '../chat-decoder';
import type { Endpoint } from '../errors';
import { ModelError } from '../model-error';
import type { ModelReply, ModelStreamEvent } from '../port';

export const testEndpoint: Endpoint = {
  name: 'Example',
  host: 'api.example.com',
  local: false,
  model: 'm-1',
  secrets: ['sk-very-secret'],
};

export interface Decoded {
  reply: ModelReply | null;
  error: ModelError | null;
  events: ModelStreamEvent[];
}

/** An event stream body of the given chunks, ended by [DONE]. */
export const sse = (...chunks: unknown[]): string => [...chunks.map(dataLine), 'data: [DONE]\n\n'].join('');

/** The same without the end marker. */
export const sseOpen = (...chunks: unknown[]): string => chunks.map(dataLine).join('');

const dataLine = (chunk: unknown): string =>
  `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`;

export const delta = (fields: Record<string, unknown>, finish: string | null = null): unknown => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});

export const end = (finish: string): unknown => delta({}, finish);

/** A tool_calls delta. */
export const call = (fields: {
  index?: number;
  id?: string | null;
  name?: string;
  args?: unknown;
}): Record<string, unknown> => ({
  ...(fields.index === undefined ? {} : { index: fields.index }),
  ...(fields.id === undefined ? {} : { id: fields.id }),
  function: {
    ...(fields.name === undefined ? {} : { name: fields.name }),
    ...('args' in fields ? { arguments: fields.args } : {}),
  },
});

export const callDelta = (...list: Parameters<typeof call>[0][]): unknown =>
  delta({ tool_calls: list.map(call) });

/** Decodes a body given in chunks. */
export async function decode(
  body: string | Uint8Array | readonly Uint8Array[],
  takenIds: string[] = [],
): Promise<Decoded> {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  const events: ModelStreamEvent[] = [];
  const stream = decodeChatReply(ReadableStream.from(chunks), {
    endpoint: testEndpoint,
    providerId: 'example',
    takenIds,
  });
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done === true) return { reply: step.value, error: null, events };
      events.push(step.value);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { reply: null, error, events };
  }
}

/** The pieces of a body in `size`-byte chunks. */
export function inPieces(body: string | Uint8Array, size: number): Uint8Array[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

/** The body cut in two at byte `at`. */
export function splitAt(body: string, at: number): Uint8Array[] {
  const bytes = Buffer.from(body);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
