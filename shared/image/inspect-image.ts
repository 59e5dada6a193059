import { imageKind, type ImageFacts, type ImageMime } from './image-facts';
import { readGif, readJpeg, readPng, readWebp, viewOf, type HeaderFacts } from './image-headers';
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './image-limits';

export type Inspected =
  | ({ ok: true } & Omit<ImageFacts, 'name'>)
  /** `what`: the kind as far as it is seen ("a PNG image"); `why`: the rest of the sentence that says why not. */
  | { ok: false; what: string; why: string; width?: number; height?: number };

const startsWith = (bytes: Uint8Array, head: readonly number[], at = 0): boolean =>
  head.every((byte, i) => bytes[at + i] === byte);

const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** The kind of picture that the first bytes tell of; null for anything else. */
export function imageMimeOf(bytes: Uint8Array): ImageMime | null {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, [0x47, 0x49, 0x46, 0x38])) return 'image/gif';
  if (startsWith(bytes, RIFF) && startsWith(bytes, WEBP, 8)) return 'image/webp';
  return null;
}

/** Bytes in which an SVG's root has to come. */
const SVG_HEAD = 1024;

function isSvg(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, SVG_HEAD))
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  return head.startsWith('<') && /<svg[\s>]/i.test(head);
}

const READERS: Record<ImageMime, (view: DataView) => HeaderFacts> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/webp': readWebp,
};

const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;

/**
 * What a picture is, by its bytes and not by its name: kind and pixels, or why it can't be shown to a model (fault-F110).
 * Reads headers and structure; what is wrong inside of compressed data only a decoder would see.
 */
export function inspectImage(bytes: Uint8Array): Inspected {
  if (bytes.length === 0) return { ok: false, what: 'an image', why: 'it is empty (0 bytes)' };
  const mime = imageMimeOf(bytes);
  if (mime === null) {
    return isSvg(bytes)
      ? { ok: false, what: 'an SVG image', why: 'SVG is text, which no model takes as an image' }
      : { ok: false, what: 'a file', why: 'it is no PNG, JPEG, GIF or WebP image' };
  }
  const what = `a ${imageKind(mime)} image`;
  const facts = READERS[mime](viewOf(bytes));
  if ('why' in facts) return { ok: false, what, why: facts.why };
  const { width, height } = facts;
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    const why = `it has ${width}×${height} pixels, and at most ${MAX_IMAGE_SIDE} a side can be sent`;
    return { ok: false, what, why, width, height };
  }
  if (bytes.length > MAX_IMAGE_BYTES) {
    const why = `it has ${megabytes(bytes.length)}, and at most ${megabytes(MAX_IMAGE_BYTES)} can be sent`;
    return { ok: false, what, why, width, height };
  }
  return { ok: true, mime, width, height, bytes: bytes.length };
}

/** "PNG, 800×600 pixels" */
export const imageWords = ({ mime, width, height }: Pick<ImageFacts, 'mime' | 'width' | 'height'>): string =>
  `${imageKind(mime)}, ${width}×${height} pixels`;
