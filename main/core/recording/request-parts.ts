import { createHash } from 'node:crypto';
import type { ModelMessage, ModelRequest, ToolSpec } from '../model/port';

const known = new WeakMap<object, string>();

function fingerprint(value: object): string {
  let print = known.get(value);
  if (print === undefined) {
    print = createHash('sha1').update(JSON.stringify(value)).digest('hex').slice(0, 10);
    known.set(value, print);
  }
  return print;
}

const named = (message: ModelMessage): string => `${message.role}:${fingerprint(message)}`;
const listed = (tools: readonly ToolSpec[]): string => `tools:${fingerprint(tools)}`;

/**
 * Fingerprints of what a request is made of: model and tool choice, the tools, then each message. Two requests are the
 * same when these are; the first that differs says what changed. Values that were met before are not hashed again.
 */
export function requestParts(request: ModelRequest): string[] {
  const { model, toolChoice, maxOutputTokens, tools, messages } = request;
  return [
    `model:${JSON.stringify([model, toolChoice, maxOutputTokens ?? null])}`,
    listed(tools),
    ...messages.map(named),
  ];
}

/** How many leading parts two requests share. */
export function sharedParts(before: readonly string[], now: readonly string[]): number {
  const differs = now.findIndex((part, index) => before[index] !== part);
  return differs === -1 ? now.length : differs;
}
