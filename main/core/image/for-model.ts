import type { LaidOut } from '../context/lay-out';
import type { ModelMessage } from '../model/port';
import { hasImages, replaceImages } from './left-out';

export const BLIND = 'the model that is in use now does not see images';

const blind = new WeakMap<ModelMessage, ModelMessage>();

/** The same object each time, so that tokens and bytes are worked out once. */
function unseen<T extends ModelMessage>(message: T): T {
  if (!hasImages(message)) return message;
  const known = blind.get(message) ?? replaceImages(message, () => BLIND);
  blind.set(message, known);
  return known as T;
}

/** The messages as a model gets them: for one that is known not to see, a line stands for each picture. */
export function forModel(messages: ModelMessage[], sees: boolean | null | undefined): ModelMessage[] {
  return sees === false && messages.some(hasImages) ? messages.map(unseen) : messages;
}

/** A layout with what is sent of its items as {@link forModel} has it. */
export function laidOutFor(laidOut: LaidOut, sees: boolean | null | undefined): LaidOut {
  if (sees !== false) return laidOut;
  return {
    ...laidOut,
    summary: laidOut.summary && unseen(laidOut.summary),
    items: laidOut.items.map((item) => (item.sent ? { ...item, sent: unseen(item.sent) } : item)),
  };
}
