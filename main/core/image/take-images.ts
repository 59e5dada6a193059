import { AppError } from '../../../shared/error';
import type { GivenImage, ImageFacts } from '../../../shared/image/image-facts';
import { MAX_IMAGE_BYTES, MAX_IMAGES, MAX_IMAGES_BYTES } from '../../../shared/image/image-limits';
import type { ImagePart } from '../model/port';
import { inspectPart } from './image-part';
import { leftOutLine } from './left-out';

/** The pictures of a message that was sent. */
interface TakenImages {
  /** For the model. */
  parts: ImagePart[];
  /** For events and views, in the same order. */
  facts: ImageFacts[];
  /** What stands in the message's text for those that can't be used. */
  notes: string[];
}

/** A message with its pictures: words, the field for the model's message and the one for the event; absent without any. */
export interface SaidWithImages {
  /** With what is to be said of pictures that could not be used. */
  text: string;
  parts: { images?: ImagePart[] };
  facts: { images?: ImageFacts[] };
}

/** @throws AppError as {@link takeImages} */
export function saidWithImages(text: string, given: readonly GivenImage[] = []): SaidWithImages {
  const { parts, facts, notes } = takeImages(given);
  return {
    text: [text, ...notes].filter((line) => line !== '').join('\n'),
    parts: parts.length === 0 ? {} : { images: parts },
    facts: facts.length === 0 ? {} : { images: facts },
  };
}

const sizeOf = ({ base64 }: ImagePart): number => Buffer.byteLength(base64, 'base64');
const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;

/**
 * Checks the pictures that somebody gives to a model. What is no readable picture becomes a line of text (fault-F110).
 *
 * @throws AppError `file_too_large` over 5 MB for one or 20 MB for all, `bad_argument` for more than ten
 */
function takeImages(given: readonly GivenImage[]): TakenImages {
  const all = given.map(({ mime, base64, name }) => ({ part: { mime, base64 }, name }));
  refuseTooMany(all);
  const taken: TakenImages = { parts: [], facts: [], notes: [] };
  for (const { part, name } of all) {
    const found = inspectPart(part);
    if (!found.ok) {
      taken.notes.push(leftOutLine(part, found.why));
      continue;
    }
    const { mime, width, height, bytes } = found;
    taken.parts.push({ mime, base64: part.base64 });
    taken.facts.push({ mime, width, height, bytes, ...(name === undefined ? {} : { name }) });
  }
  return taken;
}

function refuseTooMany(all: readonly { part: ImagePart; name: string | undefined }[]): void {
  if (all.length > MAX_IMAGES) {
    throw new AppError(
      'bad_argument',
      `A message can have ${MAX_IMAGES} images; this one has ${all.length}.`,
      {
        hint: 'Send some of them with another message.',
      },
    );
  }
  const sizes = all.map(({ part }) => sizeOf(part));
  const large = sizes.findIndex((size) => size > MAX_IMAGE_BYTES);
  if (large !== -1) {
    const name = all[large]?.name ?? 'An image';
    throw new AppError(
      'file_too_large',
      `${name} has ${megabytes(sizes[large] ?? 0)}; an image can have ${megabytes(MAX_IMAGE_BYTES)} at most.`,
      { hint: 'Scale it down, or cut out what matters.' },
    );
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= MAX_IMAGES_BYTES) return;
  throw new AppError(
    'file_too_large',
    `The images of this message have ${megabytes(total)} together; at most ${megabytes(MAX_IMAGES_BYTES)} can be sent.`,
    { hint: 'Send some of them with another message.' },
  );
}
