import { watch, type FSWatcher } from 'node:fs';

/** Watching is a hint only: the caller looks for itself at this pace where no event comes (network drives). */
const POLL_MS = 3000;
const SETTLE_MS = 50;

/**
 * Calls `look` soon after something happens directly inside one of `folders`, and every three seconds. Folders that
 * can't be watched are left to the clock. Keeps no process alive.
 *
 * @returns ends it
 */
export function onFolderSignal(folders: readonly string[], look: () => void): () => void {
  let soon: NodeJS.Timeout | null = null;
  const lookSoon = (): void => {
    soon ??= setTimeout(() => {
      soon = null;
      look();
    }, SETTLE_MS);
    soon.unref();
  };
  const watchers = folders.flatMap((folder) => watchQuietly(folder, lookSoon));
  const clock = setInterval(look, POLL_MS);
  clock.unref();
  return () => {
    clearInterval(clock);
    if (soon !== null) clearTimeout(soon);
    for (const watcher of watchers) watcher.close();
  };
}

function watchQuietly(folder: string, onEvent: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', () => {
      watcher.close();
    });
    return [watcher];
  } catch {
    return [];
  }
}
