import { AppError } from '../../../shared/error';
import { type ImageMime } from '../../../shared/image/image-facts';
import type { ImagePart } from '../model/port';
import type { History } from '../turn/turn-types';
import { inspectPart } from './image-part';

/** A picture of a session's message, for a window. @throws AppError `not_found` when it is not there (any more) */
export function storedImage(
  history: Pick<History, 'entries'>,
  messageId: string,
  index: number,
): { mime: ImageMime; base64: string } {
  const message = history.entries.find(({ id }) => id === messageId)?.message;
  const part = message?.role === 'user' ? message.images?.[index] : undefined;
  const found = part === undefined ? null : inspectPart(part);
  if (part !== undefined && found?.ok === true) return { mime: found.mime, base64: part.base64 };
  throw new AppError('not_found', 'This image is not in the session (any more).');
}

/** The pictures of a message; none when it is not there. */
export function imagesOf(history: Pick<History, 'entries'>, messageId: string): ImagePart[] {
  const message = history.entries.find(({ id }) => id === messageId)?.message;
  return message?.role === 'user' ? (message.images ?? []) : [];
}
