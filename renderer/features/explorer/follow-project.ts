import { z } from 'zod';
import type { Client } from '../../../shared/contract/contract';
import { persist } from '../../lib/persist';
import { projectStore } from '../../lib/project-store';
import { createStore, type ReadableStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import type { FolderLoader } from './folder-loader';
import { foldersToRefresh, type TreeState } from './tree-model';

/** More open folders than this are not remembered: the value has to stay small. */
const MAX_REMEMBERED = 500;

/** Follows the disk and remembers what is open, until the returned function is called. */
export function followProject(
  client: Client,
  store: ReadableStore<{ tree: TreeState }>,
  loader: FolderLoader,
  setExpanded: (expanded: ReadonlySet<string>) => void,
): () => void {
  const remembered = createStore<string[]>([]);
  const reload = (batch: Parameters<typeof foldersToRefresh>[1]): void => {
    for (const folder of foldersToRefresh(store.get().tree, batch)) void loader.load(folder);
  };
  const stops = [
    persist(remembered, {
      client,
      scope: 'project',
      key: 'explorer.expanded',
      schema: z.array(z.string()).max(MAX_REMEMBERED),
      onError: (error) => toastError(error, 'The open folders could not be remembered'),
    }),
    remembered.subscribe(() => {
      const open = store.get().tree.expanded;
      const saved = remembered.get();
      if (saved.length !== open.size || saved.some((path) => !open.has(path))) setExpanded(new Set(saved));
    }),
    store.subscribe(() => {
      const open = [...store.get().tree.expanded].slice(0, MAX_REMEMBERED);
      const saved = remembered.get();
      if (open.length !== saved.length || open.some((path, index) => path !== saved[index]))
        remembered.set(open);
    }),
    client.files.changed.subscribe(null, reload),
  ];
  // Nobody watched while the project folder itself was away.
  let away = false;
  stops.push(
    projectStore.subscribe(() => {
      const wasAway = away;
      away = projectStore.get()?.exists === false;
      if (wasAway && !away) reload({ paths: [], overflow: true });
    }),
  );
  loader.loadMissing();
  return () => {
    for (const stop of stops) stop();
  };
}
