import type { ModelMessage } from '../model/port';
import { hasImages, replaceImages } from './left-out';

export const BLIND = 'the model that is in use now does not see images';

const blind = new WeakMap<ModelMessage, ModelMessage>();

/** The messages as a model gets them: for one that is known not to see, a line stands for each picture. */
export function forModel(messages: ModelMessage[], sees: boolean | null | undefined): ModelMessage[] {
  if (sees !== false || !messages.some(hasImages)) return messages;
  return messages.map((message) => {
    if (!hasImages(message)) return message;
    // The same object each time, so that tokens and bytes are worked out once.
    const known = blind.get(message) ?? replaceImages(message, () => BLIND);
    blind.set(message, known);
    return known;
  });
}
