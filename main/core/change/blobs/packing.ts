import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Ending of a packed content's name. */
export const PACKED = '.z';

const [gzip, gunzip] = [promisify(zlib.gzip), promisify(zlib.gunzip)];
/** Runtimes from before Node 22.15 have no zstd. */
const zstd = typeof zlib.zstdCompress === 'function' ? promisify(zlib.zstdCompress) : null;
const unzstd = typeof zlib.zstdDecompress === 'function' ? promisify(zlib.zstdDecompress) : null;

/** First bytes of a zstd frame. */
const isZstd = (packed: Buffer): boolean => packed.length > 3 && packed.readUInt32LE(0) === 0xfd2fb528;

/** Compresses with zstd where the runtime has it, else with gzip. */
export async function pack(bytes: Buffer): Promise<Buffer> {
  return zstd === null ? await gzip(bytes) : await zstd(bytes);
}

/** @throws when the bytes are damaged, or longer than `maxBytes` unpacked */
export async function unpack(packed: Buffer, maxBytes: number): Promise<Buffer> {
  const options = { maxOutputLength: maxBytes };
  if (!isZstd(packed)) return await gunzip(packed, options);
  if (unzstd === null) throw new Error('this runtime can not read zstd');
  return await unzstd(packed, options);
}
