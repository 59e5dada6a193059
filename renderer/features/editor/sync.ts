import type { ErrorShape } from '../../../shared/error';
import type { Sha256 } from '../../../shared/model/ids';

/** How the text of an open file stands to the file on the disk. */
export interface Sync {
  /** What the text started from; null for a file that is not on the disk yet. */
  baseHash: Sha256 | null;
  /** The text is not what was loaded or saved last. */
  dirty: boolean;
  /**
   * `changed`: the disk holds something else than the text started from, and the text was edited too, so that somebody
   * has to choose. `deleted`: the file is gone, its text is kept here.
   */
  disk: 'same' | 'changed' | 'deleted';
  /** What lies on the disk in case `changed`; null when it is no text. */
  diskHash: Sha256 | null;
  saving: boolean;
  /** Saving was refused because of the conflict: choosing "Keep mine" then saves at once. */
  saveWanted: boolean;
  failure: ErrorShape | null;
}

export type SyncEvent =
  | { type: 'edited'; dirty: boolean }
  /** Somebody looked at the disk. `hash` null: there is something, but no text. `exists` false: nothing. */
  | { type: 'looked'; exists: boolean; hash: Sha256 | null }
  | { type: 'reloaded'; hash: Sha256 }
  /** The text has what lies on the disk in it, by a merge or because an undo led back across one. */
  | { type: 'rebased'; hash: Sha256 | null; dirty: boolean }
  | { type: 'saving' }
  | { type: 'saved'; hash: Sha256; dirty: boolean }
  /** The host wrote nothing: the disk holds `hash`, or nothing when `exists` is false. */
  | { type: 'refused'; exists: boolean; hash: Sha256 | null }
  | { type: 'failed'; error: ErrorShape }
  | { type: 'kept_mine' }
  | { type: 'dismissed' };

export const freshSync = (baseHash: Sha256 | null): Sync => ({
  baseHash,
  dirty: false,
  disk: 'same',
  diskHash: null,
  saving: false,
  saveWanted: false,
  failure: null,
});

function looked(sync: Sync, exists: boolean, hash: Sha256 | null): Sync {
  if (!exists) return sync.baseHash === null ? sync : { ...sync, disk: 'deleted', diskHash: null };
  if (hash !== null && hash === sync.baseHash) return { ...sync, disk: 'same', diskHash: null };
  return sync.dirty ? { ...sync, disk: 'changed', diskHash: hash } : sync;
}

function refused(sync: Sync, exists: boolean, hash: Sha256 | null): Sync {
  const base = { ...sync, saving: false, failure: null };
  if (!exists) return { ...base, disk: 'deleted', diskHash: null };
  return { ...base, disk: 'changed', diskHash: hash, saveWanted: true };
}

/** The one place where a file's standing changes. */
export function nextSync(sync: Sync, event: SyncEvent): Sync {
  switch (event.type) {
    case 'edited':
      return sync.dirty === event.dirty ? sync : { ...sync, dirty: event.dirty };
    case 'looked':
      return looked(sync, event.exists, event.hash);
    case 'reloaded':
      return freshSync(event.hash);
    case 'rebased':
      return { ...freshSync(event.hash), dirty: event.dirty };
    case 'saving':
      return { ...sync, saving: true, failure: null };
    case 'saved':
      return { ...freshSync(event.hash), dirty: event.dirty };
    case 'refused':
      return refused(sync, event.exists, event.hash);
    case 'failed':
      return { ...sync, saving: false, failure: event.error };
    case 'kept_mine':
      return { ...sync, baseHash: sync.diskHash, disk: 'same', diskHash: null, saveWanted: false };
    case 'dismissed':
      return { ...sync, failure: null };
  }
}

/**
 * Whether a look at the disk has to be followed by loading what is there: only where nobody's text would be lost
 * (case-D01, case-D02). A file that came back after it was deleted counts as changed (case-D04).
 */
export const mustReload = (sync: Sync, exists: boolean, hash: Sha256 | null): boolean =>
  exists && !sync.dirty && !sync.saving && hash !== sync.baseHash;

/**
 * Whether what lies on the disk may be merged into the text: somebody typed, and somebody else wrote the file
 * (case-D11).
 */
export const mayMerge = (sync: Sync, hash: Sha256 | null): boolean =>
  sync.dirty && hash !== null && sync.baseHash !== null && hash !== sync.baseHash;

/** False while somebody has to choose, or while a save is on its way. */
export const maySave = (sync: Sync): boolean => sync.disk !== 'changed' && !sync.saving;

/** What the host may overwrite. A deleted file is written anew. */
export const saveBase = (sync: Sync): Sha256 | null => (sync.disk === 'deleted' ? null : sync.baseHash);

/** Whether a save would do something. */
export const needsSave = (sync: Sync): boolean => sync.dirty || sync.disk === 'deleted';

/** Saving by itself waits while there is a question or a failure that the user has to see first. */
export const maySaveByItself = (sync: Sync): boolean =>
  sync.dirty && sync.disk === 'same' && !sync.saving && sync.failure === null;
