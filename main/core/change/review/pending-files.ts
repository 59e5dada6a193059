import type { WorkspaceFiles } from '../../workspace/types';
import type { ContentTexts } from '../trace/content-texts';
import { pathHistory, type HistoryStep } from '../trace/path-history';
import type { ChangeStore } from '../types';
import { pendingFile, type PendingFile } from './pending-file';
import { presentAt, stampOf } from './present-file';
import { reviewStart, type ReviewBases } from './review-start';

export interface PendingFilesOptions {
  store: Pick<ChangeStore, 'chain' | 'unreviewed'>;
  texts: ContentTexts;
  bases: ReviewBases;
  project(): { id: string; files: WorkspaceFiles };
}

/** The main thread is given back after this long. */
const SLICE_MS = 15;
/** Bytes, roughly, that what is known of files may take. */
const MAX_CACHED_BYTES = 48_000_000;
/** What is known of a file in which nothing waits takes at least this much. */
const LEAST_BYTES = 500;

interface Cached {
  key: string;
  found: PendingFile | null;
  /** Every version of a file has its lines numbered. */
  bytes: number;
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What waits for review in the files of the open project; what did not change is not worked out again. */
export class PendingFiles {
  private readonly cache = new Map<string, Cached>();
  private bytes = 0;

  constructor(private readonly options: PendingFilesOptions) {}

  /** Everything that waits, in the order of the paths. */
  async all(): Promise<PendingFile[]> {
    const { store, project } = this.options;
    const { id } = project();
    const found: PendingFile[] = [];
    const paths = new Set(store.unreviewed(id, {}));
    let start = performance.now();
    // A file may have been moved on by somebody whose change does not wait: paths that are found so come last.
    for (const path of paths) {
      const { pending, movedTo } = await this.look(path);
      if (pending !== null) found.push(pending);
      if (movedTo !== null) paths.add(movedTo);
      if (performance.now() - start <= SLICE_MS) continue;
      await nextTick();
      start = performance.now();
    }
    const moved = new Set(found.flatMap(({ formerPaths, present }) => (present === null ? [] : formerPaths)));
    return found
      .filter(({ path, present }) => present !== null || !moved.has(path))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async of(path: string): Promise<PendingFile | null> {
    return (await this.look(path)).pending;
  }

  private async look(path: string): Promise<{ pending: PendingFile | null; movedTo: string | null }> {
    const { store, bases, project, texts } = this.options;
    const { id, files } = project();
    const steps = pathHistory(store, id, path);
    const start = reviewStart(steps, bases, id);
    const movedTo = whereTo(steps.at(-1));
    if (start === null || start.from >= steps.length) return { pending: null, movedTo };
    const name = `${id} ${path}`;
    const record = start.record === null ? '' : `${start.record.seq} ${start.record.hash ?? ''}`;
    const before = await stampOf(files, path);
    const key = [steps.at(-1)?.set.seq, steps.length, start.from, start.foldFrom, record, before].join('|');
    const known = this.cache.get(name);
    if (known?.key === key) return { pending: known.found, movedTo };
    const present = await presentAt(files, path);
    const pending = await pendingFile({ path, steps, start, present, texts });
    const size = pending === null ? 0 : (present?.state.sizeBytes ?? 0);
    this.keep(name, { key, found: pending, bytes: LEAST_BYTES + size * (2 + steps.length) });
    return { pending, movedTo };
  }

  private keep(name: string, found: Cached): void {
    this.drop(name);
    this.cache.set(name, found);
    this.bytes += found.bytes;
    for (const oldest of this.cache.keys()) {
      if (this.bytes <= MAX_CACHED_BYTES || oldest === name) break;
      this.drop(oldest);
    }
  }

  private drop(name: string): void {
    this.bytes -= this.cache.get(name)?.bytes ?? 0;
    this.cache.delete(name);
  }
}

/** Where the entry that took a file away put it. */
function whereTo(last: HistoryStep | undefined): string | null {
  if (last === undefined || last.after !== null) return null;
  return (
    last.set.changes.find(({ movedFrom, after }) => movedFrom === last.path && after !== null)?.path ?? null
  );
}
