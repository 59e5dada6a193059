import type { LooseRecord } from './loose';

/** The JSON of a message that was sent before, by the message as chatBody maps it. */
const sent = new WeakMap<object, Buffer>();

function bytesOf(message: unknown): Buffer {
  if (typeof message !== 'object' || message === null) return Buffer.from(JSON.stringify(message));
  let bytes = sent.get(message);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(message));
    sent.set(message, bytes);
  }
  return bytes;
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/**
 * The body of a chat request as bytes: those of its JSON, when `messages` is its last key. A conversation grows by a few
 * messages per request; only these are made into JSON, the others are copied from the request before.
 */
export function chatBytes(body: LooseRecord): Buffer {
  const { messages, ...rest } = body;
  if (!Array.isArray(messages)) return Buffer.from(JSON.stringify(body));
  const head = JSON.stringify(rest).slice(0, -1);
  const parts: Buffer[] = [Buffer.from(`${head}${head === '{' ? '' : ','}"messages":[`)];
  for (const [index, message] of messages.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(bytesOf(message));
  }
  parts.push(END);
  return Buffer.concat(parts);
}
