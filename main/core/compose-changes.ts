import { AppError } from '../../shared/error';
import { createChangeLog } from './change/log/change-log';
import type { BlobStore } from './change/blobs/blob-store';
import { ContentTexts } from './change/trace/content-texts';
import { createTraceService } from './change/trace/trace-service';
import type { ChangeServices } from './change/types';
import { folderIdOf, type OpenProject } from './project/open-project';
import type { Store } from './store/types';
import type { WorkspaceFiles } from './workspace/types';

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
  const required = (): { id: string; files: WorkspaceFiles } => {
    const open = project();
    if (open) return { id: folderIdOf(open.info), files: open.files };
    throw new AppError('no_project', 'No project is open.', { hint: 'Open a folder first.' });
  };
  const texts = new ContentTexts(blobs);
  return {
    store: store.changes,
    log: createChangeLog({ store: store.changes, blobs, projectId }),
    blobs,
    undo: missing('Undo'),
    review: missing('Review'),
    trace: createTraceService({ store: store.changes, sessions: store, texts, project: required }),
    bisect: missing('Bisect'),
  };
}
