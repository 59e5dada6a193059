import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A PNG of one colour (RGB, `#3a7bd5` by default) that decoders take. */
export function png(width: number, height: number, [r, g, b] = [0x3a, 0x7b, 0xd5]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([
    Buffer.of(0),
    ...Array.from({ length: width }, () => Buffer.of(r ?? 0, g ?? 0, b ?? 0)),
  ]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG with so many bytes behind its pixels, in a chunk that decoders pass over. */
export function heavyPng(bytes: number): Buffer {
  const small = png(10, 10);
  const end = chunk('IEND', Buffer.alloc(0));
  return Buffer.concat([small.subarray(0, -end.length), chunk('prVt', Buffer.alloc(bytes)), end]);
}

/** The smallest JPEG with its parts in place: 20×10 pixels, one byte of scan. */
export const JPEG = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc0001108000a001403012200021101031101ffda000c03010002110311003f00aaffd9',
  'hex',
);
/** 3×2 pixels with a palette of two colours. */
export const GIF = Buffer.from(
  '47494638396103000200800000ff0000ffffff2c00000000030002000002028c51003b',
  'hex',
);
/** Lossless, 6×5 pixels; its pixel data is made up. */
export const WEBP = Buffer.from(
  '524946461a000000574542505650384c0d0000002f05000100000000000000000000',
  'hex',
);
export const SVG = Buffer.from(
  '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
);

/** A picture as `turn.start` and REST take it. */
export const given = (bytes: Buffer, mime = 'image/png', name?: string) => ({
  mime,
  base64: bytes.toString('base64'),
  ...(name === undefined ? {} : { name }),
});
