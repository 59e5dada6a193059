import type { EntryState } from '../../../../shared/model/change';
import type { Blobs } from '../types';
import { NO_BYTES, type LoadState } from './held';

/** Loads states from the blob store and remembers which contents are there. */
export function loaderOf(blobs: Blobs): { load: LoadState; kept: Set<string> } {
  const kept = new Set<string>();
  const load = async ({ kind, hash, mode, isKept }: EntryState) => {
    if (kind === 'folder') return { kind, bytes: NO_BYTES, hash, mode };
    const bytes = isKept ? await blobs.load(hash) : null;
    if (bytes === null) return null;
    kept.add(hash);
    return { kind, bytes, hash, mode };
  };
  return { load, kept };
}
