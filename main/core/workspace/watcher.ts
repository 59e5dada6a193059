import { watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Event } from '@parcel/watcher';
import type { Logger } from '../log/logger';
import { TEMP_FILE_PREFIX } from './atomic-write';
import { isNoise, squeeze, type FileChange } from './watch-filter';

/** Changes of one moment. `overflow` means that some were lost: read anew what is shown. */
export interface ChangeBatch {
  paths: FileChange[];
  overflow: boolean;
}

export interface WorkspaceWatcher {
  /** False when the native watcher did not start and Node's own is used. */
  readonly native: boolean;
  onChange(listener: (batch: ChangeBatch) => void): () => void;
  /** Watches what stands at the root now, after the folder was away: another one may be in its place. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const CHANGE_OF = { create: 'created', update: 'changed', delete: 'removed' } as const;
/** The native module gathers for 50 ms by itself; the fallback does so here. */
const GATHER_MS = 50;

class Batches {
  readonly #listeners = new Set<(batch: ChangeBatch) => void>();
  readonly #root: string;
  #closed = false;

  constructor(root: string) {
    this.#root = root;
  }

  onChange(listener: (batch: ChangeBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Workspace path of an absolute one, or null for what nobody needs to hear of. */
  path(absolute: string): string | null {
    const path = relative(this.#root, absolute).split(sep).join('/');
    return path === '' || path.startsWith('../') || isAbsolute(path) || isNoise(path, TEMP_FILE_PREFIX)
      ? null
      : path;
  }

  publish(changes: FileChange[], overflow: boolean): void {
    if (this.#closed) return;
    const batch = squeeze(changes, overflow);
    if (batch.paths.length === 0 && !batch.overflow) return;
    for (const listener of [...this.#listeners]) listener(batch);
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
  }
}

async function startNative(root: string, batches: Batches, logger: Logger): Promise<() => Promise<void>> {
  const { default: parcel } = await import('@parcel/watcher');
  const onEvents = (error: Error | null, events: Event[]): void => {
    if (error) {
      logger.warn('The file watcher lost events.', { error, root });
      batches.publish([], true);
      return;
    }
    const changes = events.flatMap((event): FileChange[] => {
      const path = batches.path(event.path);
      return path === null ? [] : [{ path, change: CHANGE_OF[event.type] }];
    });
    batches.publish(changes, false);
  };
  const ignore = [join(root, '.git', 'objects'), join(root, '.git', 'lfs'), '**/.git/objects'];
  const subscription = await parcel.subscribe(root, onEvents, { ignore });
  return () => subscription.unsubscribe();
}

async function changeAt(root: string, path: string, renamed: boolean): Promise<FileChange> {
  try {
    await lstat(join(root, path));
    return { path, change: renamed ? 'created' : 'changed' };
  } catch {
    return { path, change: 'removed' };
  }
}

/** Node's own watcher says only that something happened to a name; a look at the disk tells what. */
function startFallback(root: string, batches: Batches, logger: Logger): () => Promise<void> {
  const pending = new Map<string, boolean>();
  let timer: NodeJS.Timeout | null = null;
  const flush = async (): Promise<void> => {
    timer = null;
    const entries = [...pending];
    pending.clear();
    batches.publish(
      await Promise.all(entries.map(([path, renamed]) => changeAt(root, path, renamed))),
      false,
    );
  };
  const watcher = watch(root, { recursive: true }, (event, name) => {
    const path = name === null ? null : batches.path(join(root, name));
    if (path === null) return;
    pending.set(path, (pending.get(path) ?? false) || event === 'rename');
    timer ??= setTimeout(() => void flush(), GATHER_MS);
  });
  watcher.on('error', (error) => {
    logger.warn('The fallback file watcher stopped.', { error, root });
    batches.publish([], true);
  });
  return async () => {
    if (timer !== null) clearTimeout(timer);
    watcher.close();
  };
}

/**
 * Watches a project folder. When the native module can't (missing, out of watches) Node's watcher takes over, and the log
 * says so; when that can't either, nothing is reported.
 *
 * @param options.root absolute real path
 */
export async function watchWorkspace(options: {
  root: string;
  logger: Logger;
  /** Off for the fallback alone. */
  native?: boolean;
}): Promise<WorkspaceWatcher> {
  const { root, logger } = options;
  const batches = new Batches(root);
  const begin = (): Promise<Started> => start(root, batches, logger, options.native ?? true);
  let started = begin();
  const { native } = await started;
  const end = async (): Promise<void> => {
    try {
      await (await started).stop();
    } catch (error) {
      logger.warn('A file watcher did not end in order.', { error, root });
    }
  };
  return {
    native,
    onChange: (listener) => batches.onChange(listener),
    restart: async () => {
      if (batches.closed) return;
      started = end().then(begin);
      await started;
      batches.publish([], true);
    },
    close: async () => {
      batches.close();
      await end();
    },
  };
}

interface Started {
  native: boolean;
  stop: () => Promise<void>;
}

async function start(root: string, batches: Batches, logger: Logger, wantNative: boolean): Promise<Started> {
  try {
    if (wantNative) return { native: true, stop: await startNative(root, batches, logger) };
  } catch (error) {
    logger.warn('The native file watcher did not start; the slower one of Node is used.', { error, root });
  }
  try {
    return { native: false, stop: startFallback(root, batches, logger) };
  } catch (error) {
    logger.error('This folder can not be watched: changes by other programs show after a reload only.', {
      error,
      root,
    });
    return { native: false, stop: () => Promise.resolve() };
  }
}
