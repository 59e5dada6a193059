import type { CallId, MessageId } from '../../../shared/model/ids';
import type { ImageFacts } from '../../../shared/image/image-facts';
import { MAX_IMAGES, MAX_IMAGES_BYTES } from '../../../shared/image/image-limits';
import { imageWords } from '../../../shared/image/inspect-image';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import type { ImagePart, ModelMessage } from '../model/port';
import type { CallOutcome } from '../tool/types';
import { inspectPart } from './image-part';

interface ReadImage {
  callId: string;
  part: ImagePart;
  name: string | undefined;
  facts: ImageFacts;
}

export interface ReadImagesMessage {
  message: Extract<ModelMessage, { role: 'user' }>;
  /** The event that shows them with their calls, once the message has its id. */
  event(messageId: string): TurnEventPayload;
}

function readable(outcomes: readonly CallOutcome[]): ReadImage[] {
  return outcomes.flatMap(({ callId, images = [] }) =>
    images.flatMap(({ name, ...part }) => {
      const found = inspectPart(part);
      if (!found.ok) return [];
      const { mime, width, height, bytes } = found;
      const facts = { mime, width, height, bytes, ...(name === undefined ? {} : { name }) };
      return [{ callId, part: { mime, base64: part.base64 }, name, facts }];
    }),
  );
}

/**
 * The pictures that the calls of one reply brought, as one message: a tool message can't hold them in chat completions, so
 * they follow behind the results in a message of the user's role. It is a note of the harness and no word of the user.
 * Null when there are none.
 */
export function readImagesMessage(outcomes: readonly CallOutcome[]): ReadImagesMessage | null {
  const all = readable(outcomes);
  if (all.length === 0) return null;
  const shown: ReadImage[] = [];
  let bytes = 0;
  for (const image of all) {
    bytes += image.facts.bytes;
    if (shown.length < MAX_IMAGES && bytes <= MAX_IMAGES_BYTES) shown.push(image);
  }
  const lines = all.map((image) => {
    const what = `${image.name === undefined ? 'An image' : `\`${image.name}\``} (${imageWords(image.facts)})`;
    return shown.includes(image) ? what : `${what}: left out, too many at once; read it again by itself`;
  });
  const content = `<system-reminder>\nThe images that were read, in this order:\n${lines.join('\n')}\n</system-reminder>`;
  return {
    message: { role: 'user', content, images: shown.map(({ part }) => part) },
    event: (messageId) => ({
      type: 'images.read',
      messageId: messageId as MessageId,
      images: shown.map(({ callId, facts }) => ({ ...facts, callId: callId as CallId })),
    }),
  };
}
