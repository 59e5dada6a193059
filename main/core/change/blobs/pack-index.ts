import { createHash } from 'node:crypto';

/** Where a content lies in its pack, in bytes. */
export interface PackSpan {
  offset: number;
  length: number;
}

/** First bytes of an index: format and its version. */
const MAGIC = Buffer.from('LATHEPK1');
const HASH_BYTES = 32;
const OFFSET_BYTES = 6;
const LENGTH_BYTES = 4;
const RECORD_BYTES = HASH_BYTES + OFFSET_BYTES + LENGTH_BYTES;
const DIGEST_BYTES = 32;

const digest = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Index of a pack: magic, records of hash, offset and length (42 bytes each, in the order of their hashes), SHA-256 of all
 * that. Hashes are lower-case hex.
 */
export function encodePackIndex(spans: ReadonlyMap<string, PackSpan>): Buffer {
  const bytes = Buffer.alloc(MAGIC.length + spans.size * RECORD_BYTES);
  MAGIC.copy(bytes);
  let at = MAGIC.length;
  for (const hash of [...spans.keys()].sort()) {
    const { offset, length } = spans.get(hash) as PackSpan;
    bytes.write(hash, at, 'hex');
    bytes.writeUIntBE(offset, at + HASH_BYTES, OFFSET_BYTES);
    bytes.writeUInt32BE(length, at + HASH_BYTES + OFFSET_BYTES);
    at += RECORD_BYTES;
  }
  return Buffer.concat([bytes, digest(bytes)]);
}

/** What is in a pack. It stays as the bytes that were read and is searched in them: large projects have 50,000 records. */
export class PackIndex {
  private constructor(
    private readonly records: Buffer,
    private readonly packBytes: number,
  ) {}

  /**
   * @param packBytes how long the pack is; what lies behind that was torn off and counts as not there
   * @returns null when the bytes are no whole index
   */
  static parse(bytes: Buffer, packBytes: number): PackIndex | null {
    const end = bytes.length - DIGEST_BYTES;
    if (end < MAGIC.length || (end - MAGIC.length) % RECORD_BYTES !== 0) return null;
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
    if (!digest(bytes.subarray(0, end)).equals(bytes.subarray(end))) return null;
    return new PackIndex(bytes.subarray(MAGIC.length, end), packBytes);
  }

  get size(): number {
    return this.records.length / RECORD_BYTES;
  }

  find(hash: string): PackSpan | null {
    const wanted = Buffer.from(hash, 'hex');
    if (wanted.length !== HASH_BYTES) return null;
    let [low, high] = [0, this.size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const from = middle * RECORD_BYTES;
      const order = wanted.compare(this.records, from, from + HASH_BYTES);
      if (order === 0) return this.span(middle);
      if (order < 0) high = middle - 1;
      else low = middle + 1;
    }
    return null;
  }

  /** All records; the span is null where the content was torn off. */
  *all(): Generator<{ hash: string; span: PackSpan | null }> {
    for (let at = 0; at < this.size; at += 1) {
      const from = at * RECORD_BYTES;
      yield { hash: this.records.toString('hex', from, from + HASH_BYTES), span: this.span(at) };
    }
  }

  private span(at: number): PackSpan | null {
    const from = at * RECORD_BYTES + HASH_BYTES;
    const offset = this.records.readUIntBE(from, OFFSET_BYTES);
    const length = this.records.readUInt32BE(from + OFFSET_BYTES);
    return offset + length <= this.packBytes ? { offset, length } : null;
  }
}
