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

/** The JSON of a tool that was sent before. */
const sentTools = new WeakMap<object, string>();

function toolText(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null) return JSON.stringify(tool);
  let text = sentTools.get(tool);
  if (text === undefined) {
    text = JSON.stringify(tool);
    sentTools.set(tool, text);
  }
  return text;
}

/** The JSON of an object without its closing brace, ready for one more key. */
function openObject(fields: LooseRecord): string {
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const isTools = key === 'tools' && Array.isArray(value);
      return `${JSON.stringify(key)}:${isTools ? `[${value.map(toolText).join(',')}]` : JSON.stringify(value)}`;
    });
  return `{${texts.join(',')}${texts.length === 0 ? '' : ','}`;
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/**
 * The body of a chat request as bytes: those of its JSON, when `messages` is its last key. A conversation grows by a few
 * messages per request and its tools stay the same; only what is new is made into JSON, the rest is copied from the request
 * before.
 */
export function chatBytes(body: LooseRecord): Buffer {
  const { messages, ...rest } = body;
  if (!Array.isArray(messages)) return Buffer.from(JSON.stringify(body));
  const parts: Buffer[] = [Buffer.from(`${openObject(rest)}"messages":[`)];
  for (const [index, message] of messages.entries()) {
    if (index > 0) parts.push(COMMA);
    parts.push(bytesOf(message));
  }
  parts.push(END);
  return Buffer.concat(parts);
}
