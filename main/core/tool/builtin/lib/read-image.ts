import { MAX_IMAGE_BYTES } from '../../../../../shared/image/image-limits';
import { imageMimeOf, inspectImage } from '../../../../../shared/image/inspect-image';
import type { ToolResult } from '../../types';
import { nameBinary } from './describe-binary';

/** True for formats that are never shown as text, even where their first bytes hold no NUL. */
export const isKnownImage = (bytes: Buffer): boolean => imageMimeOf(bytes) !== null;

const ALLOW = 'If it does, the user can name it in the setting `chat.model.sees`.';

/** Pixels that a PNG's header tells of, also where the rest of it is missing. */
const pngPixels = (bytes: Buffer): string =>
  imageMimeOf(bytes) === 'image/png' && bytes.length >= 24
    ? `${bytes.readUInt32BE(16)}×${bytes.readUInt32BE(20)}`
    : '';

/**
 * What `read_file` says of a picture, and the picture itself for a model that sees. What can't be shown is described, with
 * the reason (fault-F110).
 *
 * @param bytes the whole file, or the beginning of one that is larger than `read_file` takes as a whole
 * @param sizeBytes of the whole file
 */
export function readImage(
  relative: string,
  bytes: Buffer,
  sizeBytes: number,
  sees: boolean | null | undefined,
): ToolResult {
  const found = inspectImage(bytes);
  const pixels = found.width === undefined ? pngPixels(bytes) : `${found.width}×${found.height}`;
  const named = nameBinary(relative, bytes, sizeBytes, pixels);
  if (sizeBytes > bytes.length) {
    const most = MAX_IMAGE_BYTES / (1024 * 1024);
    return { text: `${named} It is not shown: it has more than ${most} MB. Make a smaller copy to see it.` };
  }
  if (!found.ok) return { text: `${named} It can't be shown: ${found.why}.` };
  if (sees === true) {
    const image = { mime: found.mime, base64: bytes.toString('base64'), name: relative };
    return { text: `${named} It follows as an image.`, images: [image] };
  }
  const why =
    sees === false ? 'this model does not see images' : 'it is not known whether this model sees images';
  return { text: `${named} Its contents are not shown: ${why}. ${ALLOW}` };
}
