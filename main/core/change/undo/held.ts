import type { EntryKind, EntryState } from '../../../../shared/model/change';
import { sha256 } from '../../workspace/workspace-files';

/** What a path holds, in memory. A link's bytes are its target; a folder has none. */
export interface Held {
  kind: EntryKind;
  bytes: Buffer;
  hash: string;
  /** Permission bits; 0 for links. */
  mode: number;
}

export const NO_BYTES = Buffer.alloc(0);
export const NO_BYTES_HASH = sha256(NO_BYTES);

/** True when both are the same to the byte, permissions included. Folders are the same as each other. */
export function same(
  a: Pick<Held, 'kind' | 'hash' | 'mode'> | null,
  b: Pick<Held, 'kind' | 'hash' | 'mode'> | null,
): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'folder') return true;
  return a.hash === b.hash && (a.kind === 'link' || a.mode === b.mode);
}

/** Loads the bytes of a state; null when they are not kept (any more). */
export type LoadState = (state: EntryState) => Promise<Held | null>;
