import type { EntryState } from '../../../../shared/model/change';
import { hasMoreLines } from '../../../../shared/text/has-more-lines';
import { decodeText, type TextFile } from '../../edit/text-codec';
import { isNoText } from '../merge/merge-bytes';
import type { Blobs } from '../types';

/** Characters of texts that are kept at hand, over all of them. */
const MAX_CACHED_CHARS = 24_000_000;
/** Larger contents are not compared line by line. */
export const MAX_COMPARED_BYTES = 5 * 1024 * 1024;
/** Contents of more lines are not compared either: each line has its own history, so lines cost more than bytes. */
export const MAX_COMPARED_LINES = 60_000;

/** Texts of kept contents by their hash; those used last stay at hand. */
export class ContentTexts {
  private readonly cache = new Map<string, TextFile | null>();
  private chars = 0;

  constructor(private readonly blobs: Pick<Blobs, 'load'>) {}

  /** The text of a state; null when its bytes are not kept, are no text, or too much of it. */
  async of(state: Pick<EntryState, 'kind' | 'hash' | 'sizeBytes'>, path: string): Promise<TextFile | null> {
    if (state.kind !== 'file' || state.sizeBytes > MAX_COMPARED_BYTES) return null;
    const known = this.cache.get(state.hash);
    if (known !== undefined) {
      this.cache.delete(state.hash);
      this.cache.set(state.hash, known);
      return known;
    }
    const bytes = await this.blobs.load(state.hash);
    return bytes === null ? null : await this.ofBytes(bytes, state.hash, path);
  }

  /** As `of`, for bytes that are at hand. */
  async ofBytes(bytes: Buffer, hash: string, path: string): Promise<TextFile | null> {
    const known = this.cache.get(hash);
    if (known !== undefined) return known;
    const text = bytes.length > MAX_COMPARED_BYTES ? null : await decoded(bytes, path);
    this.cache.set(hash, text);
    this.chars += text?.raw.length ?? 0;
    for (const [oldest, file] of this.cache) {
      if (this.chars <= MAX_CACHED_CHARS || oldest === hash) break;
      this.cache.delete(oldest);
      this.chars -= file?.raw.length ?? 0;
    }
    return text;
  }
}

/** Null for what is no text, or has too many lines to be compared. */
async function decoded(bytes: Buffer, path: string): Promise<TextFile | null> {
  try {
    const file = await decodeText(bytes, path);
    return hasMoreLines(file.text, MAX_COMPARED_LINES) ? null : file;
  } catch (error) {
    if (isNoText(error)) return null;
    throw error;
  }
}
