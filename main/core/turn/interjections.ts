import type { MessageId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import type { SaidWithImages } from '../image/take-images';
import type { ModelMessage } from '../model/port';

/** What the user said while a turn runs: the text alone, or with pictures that were checked. */
export type Interjection = string | SaidWithImages;

/** The message of an interjection, and the event that shows it once the message has its id. */
export function saidBetween(said: Interjection): {
  message: Extract<ModelMessage, { role: 'user' }>;
  event(messageId: string): TurnEventPayload;
} {
  const { text, parts, facts } = typeof said === 'string' ? { text: said, parts: {}, facts: {} } : said;
  return {
    message: { role: 'user', content: text, ...parts },
    event: (messageId) => ({ type: 'interjection', messageId: messageId as MessageId, text, ...facts }),
  };
}
