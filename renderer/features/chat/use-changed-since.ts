import { useEffect, useState } from 'react';
import type { Client } from '../../../shared/contract/contract';
import type { ReceiptFile } from '../../../shared/model/receipt';
import { useClient } from '../../lib/client-context';

type Changed = Parameters<Client['files']['changed']['subscribe']>[1] extends (batch: infer Batch) => void
  ? Batch
  : never;

/** One subscription serves all receipts on screen. */
const watchers = new WeakMap<Client, { listeners: Set<(batch: Changed) => void>; stop: () => void }>();

function watchFiles(client: Client, listener: (batch: Changed) => void): () => void {
  let watcher = watchers.get(client);
  if (!watcher) {
    const listeners = new Set<(batch: Changed) => void>();
    const stop = client.files.changed.subscribe(null, (batch) => {
      for (const each of listeners) each(batch);
    });
    watcher = { listeners, stop };
    watchers.set(client, watcher);
  }
  const { listeners, stop } = watcher;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    watchers.delete(client);
    stop();
  };
}

/** True when a change on disk may touch one of the paths: the file itself, or a folder above it. */
export const touches = ({ paths, overflow }: Changed, files: ReadonlySet<string>): boolean =>
  overflow ||
  paths.some(({ path }) => files.has(path) || [...files].some((file) => file.startsWith(`${path}/`)));

const NONE: readonly string[] = [];

/**
 * Which of a receipt's files have changed since it was written, now and whenever the disk changes. Told by the bytes: a
 * file that is put back is as the receipt has it again.
 */
export function useChangedSince(files: readonly ReceiptFile[]): readonly string[] {
  const client = useClient();
  const [changed, setChanged] = useState(NONE);
  useEffect(() => {
    if (files.length === 0) return;
    let current = true;
    const wanted = files.map(({ path, afterHash }) => ({ path, hash: afterHash }));
    const paths = new Set(files.map(({ path }) => path));
    const look = (): void => {
      client.turn.changedSince({ files: wanted }).then(
        (answer) => {
          if (current) setChanged(answer.paths);
        },
        // Without a project, or while the host is away, nothing can be said; the next change asks again.
        () => undefined,
      );
    };
    look();
    const stop = watchFiles(client, (batch) => {
      if (touches(batch, paths)) look();
    });
    return () => {
      current = false;
      stop();
    };
  }, [client, files]);
  return changed;
}
