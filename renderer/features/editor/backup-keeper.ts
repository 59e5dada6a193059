import type { Client } from '../../../shared/contract/contract';
import { toastError } from '../../lib/toast-store';
import { textViewOf } from './editor-state';
import { places } from './places';

/** The first change is kept at once: from then on everybody can know that there is unsaved text. After this much rest … */
const REST_MS = 1000;
/** … and at the latest after this much typing the text is kept again. */
const MOST_MS = 5000;

/** A backup that failed (the host is away, its disk full) is tried again after this. */
const RETRY_MS = 3000;

interface Waiting {
  timer: ReturnType<typeof setTimeout>;
  since: number;
}

export type BackupKeeper = ReturnType<typeof createBackupKeeper>;

/** Keeps unsaved text at the host, so that neither a crash nor a closed window loses it (hot exit). */
export function createBackupKeeper(client: Client, textOf: (path: string) => string | null) {
  const waiting = new Map<string, Waiting>();
  const kept = new Set<string>();
  /** Told once that their text is only here. */
  const failing = new Set<string>();

  const keep = async (path: string): Promise<void> => {
    clearTimeout(waiting.get(path)?.timer);
    waiting.delete(path);
    const text = textOf(path);
    const sync = textViewOf(path)?.sync;
    if (text === null || !sync?.dirty) return;
    const { line = 1, column = 1 } = places.get(path) ?? {};
    kept.add(path);
    try {
      const cursor = { cursorLine: line, cursorColumn: column };
      await client.files.keepBackup({ path, baseHash: sync.baseHash, text, ...cursor });
      // Saved or closed while the backup was on its way: it must not come back.
      if (!textViewOf(path)?.sync.dirty) await client.files.dropBackup({ path });
      failing.delete(path);
    } catch (error) {
      if (!failing.has(path)) toastError(error, `Unsaved text of ${path} is only in this window`);
      failing.add(path);
      if (!waiting.has(path)) {
        const timer = setTimeout(() => void keep(path), RETRY_MS);
        waiting.set(path, { since: performance.now(), timer });
      }
    }
  };

  return {
    /** The text was edited. */
    note: (path: string): void => {
      const before = waiting.get(path);
      clearTimeout(before?.timer);
      const since = before?.since ?? performance.now();
      const isFirst = !before && !kept.has(path);
      const rest = isFirst ? 0 : Math.max(0, Math.min(REST_MS, since + MOST_MS - performance.now()));
      waiting.set(path, { since, timer: setTimeout(() => void keep(path), rest) });
    },
    known: (path: string): void => void kept.add(path),
    /** The text is saved or given up. */
    drop: (path: string): void => {
      clearTimeout(waiting.get(path)?.timer);
      waiting.delete(path);
      failing.delete(path);
      if (!kept.delete(path)) return;
      client.files.dropBackup({ path }).catch((error: unknown) => {
        kept.add(path);
        toastError(error, `The backup of ${path} could not be removed`);
      });
    },
    /** Does at once what is due: the window may be about to go. */
    flush: (): void => {
      for (const path of [...waiting.keys()]) void keep(path);
    },
  };
}
