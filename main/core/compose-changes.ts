import { AppError } from '../../shared/error';
import { createChangeLog } from './change/log/change-log';
import type { BlobStore } from './change/blobs/blob-store';
import type { ChangeServices } from './change/types';
import { folderIdOf, type OpenProject } from './project/open-project';
import type { Store } from './store/types';

export interface ChangeParts {
  store: Store;
  blobs: BlobStore;
  project(): OpenProject | null;
}

function missing<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: () => () => {
      throw new AppError('unsupported', `${name} is not there.`);
    },
  });
}

/** The change log with everything that is built on it. */
export function createChanges({ store, blobs, project }: ChangeParts): ChangeServices {
  const projectId = (): string | null => {
    const open = project();
    return open && folderIdOf(open.info);
  };
  return {
    store: store.changes,
    log: createChangeLog({ store: store.changes, blobs, projectId }),
    blobs,
    undo: missing('Undo'),
    review: missing('Review'),
    trace: missing('Trace'),
    bisect: missing('Bisect'),
  };
}
