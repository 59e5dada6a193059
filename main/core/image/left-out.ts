import { imageWords } from '../../../shared/image/inspect-image';
import type { ImagePart, ModelMessage } from '../model/port';
import { inspectPart } from './image-part';

type UserMessage = Extract<ModelMessage, { role: 'user' }>;

export const hasImages = (message: ModelMessage): message is UserMessage & { images: ImagePart[] } =>
  message.role === 'user' && (message.images?.length ?? 0) > 0;

/** The line that stands where a picture was. */
export function leftOutLine(part: ImagePart, why: string): string {
  const found = inspectPart(part);
  const what = found.ok ? `an image (${imageWords(found)})` : found.what;
  return `(Left out here: ${what}; ${why}.)`;
}

/**
 * The message with a line of text in place of each picture for which `reason` gives one; the same object when there is
 * none. Where no picture is left, the message has none at all.
 */
export function replaceImages<T extends ModelMessage>(
  message: T,
  reason: (part: ImagePart) => string | null,
): T {
  if (!hasImages(message)) return message;
  const lines: string[] = [];
  const kept = message.images.filter((part) => {
    const why = reason(part);
    if (why !== null) lines.push(leftOutLine(part, why));
    return why === null;
  });
  if (lines.length === 0) return message;
  const content = [message.content, ...lines].filter((text) => text.trim() !== '').join('\n');
  return { role: 'user', content, ...(kept.length === 0 ? {} : { images: kept }) } as T;
}
