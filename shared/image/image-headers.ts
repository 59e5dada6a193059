/** Pixels of a picture, or why its bytes can't be one. */
export type HeaderFacts = { width: number; height: number } | { why: string };

type View = DataView;

const CUT = { why: 'its data ends too early' } as const;
const BROKEN = { why: 'its data is damaged' } as const;

export const viewOf = (bytes: Uint8Array): View =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const ascii = (view: View, at: number, length: number): string => {
  let text = '';
  for (let i = at; i < Math.min(at + length, view.byteLength); i += 1)
    text += String.fromCharCode(view.getUint8(i));
  return text;
};

const sized = (width: number, height: number): HeaderFacts =>
  width > 0 && height > 0 ? { width, height } : BROKEN;

/** PNG (RFC 2083): chunks of length, type, data and check sum; IHDR first, IDAT somewhere, IEND last. */
export function readPng(view: View): HeaderFacts {
  if (view.byteLength < 33) return CUT;
  if (ascii(view, 12, 4) !== 'IHDR') return BROKEN;
  const facts = sized(view.getUint32(16), view.getUint32(20));
  let hasData = false;
  for (let at = 8; at + 12 <= view.byteLength;) {
    const length = view.getUint32(at);
    const type = ascii(view, at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type)) return BROKEN;
    if (at + 12 + length > view.byteLength) return CUT;
    if (type === 'IEND') return hasData ? facts : BROKEN;
    hasData ||= type === 'IDAT';
    at += 12 + length;
  }
  return CUT;
}

/** Frame headers of all JPEG processes; C4, C8 and CC are tables and such. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const endsJpeg = (view: View, from: number): boolean => {
  // Some cameras put zeros or data of their own behind the end.
  for (let at = view.byteLength - 2; at >= from; at -= 1)
    if (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xd9) return true;
  return false;
};

/** JPEG (ITU T.81): segments until the scan; a picture without its end marker was cut off. */
export function readJpeg(view: View): HeaderFacts {
  let facts: HeaderFacts | null = null;
  for (let at = 2; at + 4 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return BROKEN;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (length < 2) return BROKEN;
    if (at + 2 + length > view.byteLength) return CUT;
    if (isFrame(marker) && length >= 7) facts = sized(view.getUint16(at + 7), view.getUint16(at + 5));
    if (marker === 0xda) {
      if (facts === null) return BROKEN;
      return endsJpeg(view, at + 2 + length) ? facts : CUT;
    }
    at += 2 + length;
  }
  return CUT;
}

const colours = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Behind a row of GIF data blocks; -1 when it is cut off. */
function behindBlocks(view: View, from: number): number {
  let at = from;
  while (at < view.byteLength) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) return at <= view.byteLength ? at : -1;
  }
  return -1;
}

/** GIF (89a): at least one whole picture. The trailer is missing in many files and not asked for. */
export function readGif(view: View): HeaderFacts {
  if (view.byteLength < 14) return CUT;
  const facts = sized(view.getUint16(6, true), view.getUint16(8, true));
  let at = 13 + colours(view.getUint8(10));
  while (at < view.byteLength) {
    const block = view.getUint8(at);
    if (block === 0x3b) return BROKEN;
    if (block === 0x21) at = behindBlocks(view, at + 2);
    else if (block === 0x2c) {
      if (at + 11 > view.byteLength) return CUT;
      const end = behindBlocks(view, at + 11 + colours(view.getUint8(at + 9)));
      return end === -1 ? CUT : facts;
    } else return BROKEN;
    if (at === -1) return CUT;
  }
  return CUT;
}

const uint24 = (view: View, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;

/** WebP (RFC 9649): a RIFF container with a lossy, lossless or extended picture. */
export function readWebp(view: View): HeaderFacts {
  if (view.byteLength < 30) return CUT;
  if (view.getUint32(4, true) + 8 > view.byteLength) return CUT;
  switch (ascii(view, 12, 4)) {
    case 'VP8 ':
      if (uint24(view, 23) !== 0x2a019d) return BROKEN;
      return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      if (view.getUint8(20) !== 0x2f) return BROKEN;
      const bits = view.getUint32(21, true);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(uint24(view, 24) + 1, uint24(view, 27) + 1);
    default:
      return BROKEN;
  }
}
