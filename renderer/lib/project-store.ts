import type { AppInfo } from '../../shared/contract/app';
import type { Client } from '../../shared/contract/contract';
import type { ProjectInfo } from '../../shared/contract/project';
import { createStore } from './store';

/** `undefined` until the host answered, `null` when no project is open. */
export const projectStore = createStore<ProjectInfo | null | undefined>(undefined);

/** `null` until the host answered. */
export const appInfoStore = createStore<AppInfo | null>(null);

/** Keeps both stores equal to the host until the returned function is called. */
export function connectProject(
  client: Pick<Client, 'project' | 'app'>,
  onError: (error: unknown) => void,
): () => void {
  client.app.info(null).then(appInfoStore.set, onError);
  client.project.current(null).then(projectStore.set, onError);
  return client.project.changed.subscribe(null, projectStore.set);
}
