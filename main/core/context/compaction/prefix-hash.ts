import { createHash } from 'node:crypto';
import type { ModelMessage } from '../../model/port';
import type { ContextEntry } from '../entry';

const digests = new WeakMap<ModelMessage, string>();

/** What the model is given of a message, in a fixed order: a stored message has its keys in another order than a new one. */
function facts(message: ModelMessage): unknown[] {
  switch (message.role) {
    case 'user':
      return ['user', message.content, (message.images ?? []).map(({ mime, base64 }) => [mime, base64])];
    case 'assistant':
      return [
        'assistant',
        message.content,
        (message.calls ?? []).map((call) => [call.id, call.name, call.arguments]),
      ];
    case 'tool':
      return ['tool', message.callId, message.name, message.content];
    case 'system':
      return ['system', message.content];
  }
}

function digestOf(message: ModelMessage): string {
  let digest = digests.get(message);
  if (digest === undefined) {
    digest = createHash('sha256')
      .update(JSON.stringify(facts(message)))
      .digest('hex');
    digests.set(message, digest);
  }
  return digest;
}

/** SHA-256 over the first `count` messages (X4). Ids are left out: a copied session keeps its compactions. */
export function prefixHash(entries: readonly ContextEntry[], count: number): string {
  const hash = createHash('sha256');
  for (let i = 0; i < count; i += 1) {
    const entry = entries[i];
    if (entry) hash.update(digestOf(entry.message));
  }
  return hash.digest('hex');
}
