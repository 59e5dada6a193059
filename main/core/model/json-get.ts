import { sendHttp } from './http-client';
import { readText } from './http-reply';
import { parseJson } from './loose';

export interface JsonAnswer {
  status: number;
  /** Parsed body; undefined when it is not JSON. */
  value: unknown;
  text: string;
}

/** Most of a body that is read: model lists of aggregators reach a few megabytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * One JSON request outside of a chat.
 *
 * @param timeoutMs for everything: connecting, waiting and reading
 * @throws the network's own error, or a TimeoutError
 */
export async function requestJson(
  url: URL,
  options: { headers?: Record<string, string>; timeoutMs: number; signal?: AbortSignal; body?: unknown },
): Promise<JsonAnswer> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const reply = await sendHttp({
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      'user-agent': 'Lathe',
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
    signal,
    connectMs: options.timeoutMs,
  });
  const text = await readText(reply.body, MAX_BYTES);
  return { status: reply.status, value: parseJson(text), text };
}
