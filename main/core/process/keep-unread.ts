import type { Readable } from 'node:stream';

/**
 * Keeps what a child prints for a reader that comes later. Node throws away what nobody reads yet as soon as it sees the
 * child's end, and it may see that before anything the child has said; not from who waits for 'readable'.
 *
 * @returns to be called when the reader is there, or is about to be
 */
export function keepUnread(streams: readonly Readable[]): () => void {
  const keep = (): void => undefined;
  for (const each of streams) each.on('readable', keep);
  return () => {
    for (const each of streams) each.off('readable', keep);
  };
}
