import { join } from 'node:path';
import { AppError } from '../../shared/error';
import { createChangeLog } from './change/log/change-log';
import type { BlobStore } from './change/blobs/blob-store';
import { ContentTexts } from './change/trace/content-texts';
import { createTraceService } from './change/trace/trace-service';
import type { FileSetJournal } from './change/file-set-journal';
import type { ChangeLog, ChangeServices } from './change/types';
import { createIntents } from './change/undo/intents';
import { Undo } from './change/undo/undo-service';
import { folderIdOf, type OpenProject } from './project/open-project';
import type { SessionBranches } from './session/session-branches';
import type { SessionCatalog } from './session/session-catalog';
import type { TurnService } from './session/turn-service';
import type { Store } from './store/types';
import type { WorkspaceFiles } from './workspace/types';

export interface ChangeParts {
  store: Store;
  blobs: BlobStore;
  project(): OpenProject | null;
  journal: FileSetJournal;
  dataDir: string;
  catalog: SessionCatalog;
  turns: TurnService;
  branches: SessionBranches;
  newId(): string;
}

function missing<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: () => () => {
      throw new AppError('unsupported', `${name} is not there.`);
    },
  });
}

function createUndo(
  { store, blobs, journal, dataDir, catalog, turns, branches, newId }: ChangeParts,
  log: ChangeLog,
  project: () => { id: string; files: WorkspaceFiles },
): Undo {
  return new Undo({
    ...{ store, log, blobs, journal, catalog, project, newId },
    intents: createIntents(join(dataDir, 'undo')),
    isRunning: (id) => turns.isRunning(id),
    between: (id, work) => turns.between(id, work),
    lastTurnOf: (runtime) => turns.lastTurnOf(runtime),
    rewind: (...request) => branches.rewind(...request),
  });
}

/** The change log with everything that is built on it. */
export function createChanges(parts: ChangeParts): ChangeServices {
  const { store, blobs, project } = parts;
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
  const log = createChangeLog({ store: store.changes, blobs, projectId });
  return {
    store: store.changes,
    log,
    blobs,
    undo: createUndo(parts, log, required),
    review: missing('Review'),
    trace: createTraceService({ store: store.changes, sessions: store, texts, project: required }),
    bisect: missing('Bisect'),
  };
}
