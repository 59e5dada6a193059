import type { ModelMessage } from '../model/port';
import { inspectPart } from './image-part';
import { hasImages, replaceImages } from './left-out';

/**
 * A message whose pictures every provider that sees can read: what is none, empty, cut off or too large is replaced by a
 * line that says so, and a kind that was named wrongly is put right (fault-F110). Stored history goes through here at every
 * request, so one bad picture never spoils the turns after it. The same object when nothing is wrong.
 */
export function withSoundImages<T extends ModelMessage>(message: T): T {
  const sound = replaceImages(message, (part) => {
    const found = inspectPart(part);
    return found.ok ? null : found.why;
  });
  if (!hasImages(sound)) return sound;
  const images = sound.images.map((part) => {
    const found = inspectPart(part);
    return found.ok && found.mime !== part.mime ? { ...part, mime: found.mime } : part;
  });
  return images.every((part, at) => part === sound.images[at]) ? sound : { ...sound, images };
}
