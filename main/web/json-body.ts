import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError } from '../../shared/error';

/** A message of 1,000,000 characters, each escaped, and some room. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** The same with the images of one message: 20 MB as base64. */
export const MAX_MESSAGE_BYTES = 36 * 1024 * 1024;

const Body = z.record(z.string(), z.unknown());

/**
 * Reads a JSON object; an empty body counts as `{}`. Its fields are checked by the channel that gets them.
 *
 * @throws AppError `bad_argument` (no JSON object), `file_too_large` (over `maxBytes`)
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<Record<string, unknown>> {
  const body = Body.safeParse(parseJson(await readText(request, maxBytes)));
  if (body.success) return body.data;
  throw new AppError('bad_argument', 'The request body is not a JSON object.', {
    hint: 'See docs/rest.md for the fields.',
  });
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new AppError('file_too_large', `A request body may have ${maxBytes} bytes at most.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
