import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { AppError } from '../../shared/error';

/** A message of 1,000,000 characters, each escaped, and some room. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * Reads and checks a JSON body; an empty body counts as `{}`.
 *
 * @throws AppError `bad_argument` (not JSON, wrong shape), `file_too_large` (over 8 MB)
 */
export async function readJsonBody<S extends z.ZodType>(
  request: IncomingMessage,
  schema: S,
): Promise<z.output<S>> {
  const parsed = schema.safeParse(parseJson(await readText(request)));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new AppError('bad_argument', `The request body is not valid (${problems.join('; ')}).`, {
    hint: 'See docs/rest.md for the fields.',
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new AppError('file_too_large', `A request body may have ${MAX_BODY_BYTES} bytes at most.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('bad_argument', 'The request body is not JSON.', { cause: error });
  }
}
