import { inspectImage, type Inspected } from '../../../shared/image/inspect-image';
import type { ImagePart } from '../model/port';

const inspected = new WeakMap<ImagePart, Inspected>();

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/;

/** What a stored picture is; worked out once per object. */
export function inspectPart(part: ImagePart): Inspected {
  let known = inspected.get(part);
  if (known === undefined) {
    known = NOT_BASE64.test(part.base64)
      ? { ok: false, what: 'an image', why: 'its data is damaged' }
      : inspectImage(Buffer.from(part.base64, 'base64'));
    inspected.set(part, known);
  }
  return known;
}
