import { LineHistory, type FileVersion } from './line-history';

/** The main thread is given back after this long; one version takes far less. */
const SLICE_MS = 15;

export interface TracedLines<T> {
  /** Who wrote each line of the last version; null: there from the start, or not known. */
  origins: (T | null)[];
  /** Who removed each line of the first version; null: it is still there, or not known. */
  removed: (T | null)[];
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Follows the lines through the versions, in slices so that nothing else waits for it. */
export async function followLines<T>(versions: Iterable<FileVersion<T>>): Promise<LineHistory<T>> {
  const history = new LineHistory<T>();
  let start = performance.now();
  for (const version of versions) {
    history.add(version);
    if (performance.now() - start <= SLICE_MS) continue;
    await nextTick();
    start = performance.now();
  }
  return history;
}

/**
 * Says of every line of the last version who wrote it, and of every line of the first one who removed it. Lines that come
 * back with a former content have the author they had then.
 */
export async function traceLines<T>(versions: readonly FileVersion<T>[]): Promise<TracedLines<T>> {
  const history = await followLines(versions);
  const ids = history.idsOf(history.size - 1) ?? new Int32Array(0);
  return {
    origins: Array.from(ids, (id) => history.writerOf(id)),
    removed: Array.from(history.idsOf(0) ?? [], (id) => history.removerOf(id)),
  };
}
