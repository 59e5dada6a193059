import { join } from 'node:path';
import { AppError } from '../../shared/error';
import { createChangeLog } from './change/log/change-log';
import { createLateBisect } from './change/bisect/late-bisect';
import type { BlobStore } from './change/blobs/blob-store';
import { Accepts } from './change/review/accepts';
import { PendingFiles } from './change/review/pending-files';
import { createReviewService } from './change/review/review-service';
import { ReviewBases } from './change/review/review-start';
import { ContentTexts } from './change/trace/content-texts';
import { createTraceService } from './change/trace/trace-service';
import type { FileSetJournal } from './change/file-set-journal';
import type { ChangeLog, ChangeServices, ReviewService, UndoService } from './change/types';
import { createIntents } from './change/undo/intents';
import type { UndoPort } from './change/undo/undo-port';
import { Undo } from './change/undo/undo-service';
import { folderIdOf } from './project/folder-id';
import type { OpenProject } from './project/open-project';
import type { ProcessLedger } from './process/ledger';
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
  processes: ProcessLedger;
  onError(error: unknown): void;
}

/** What undoing and rejecting need of the rest of the core. */
function undoPort(
  { store, blobs, journal, dataDir, catalog, turns, branches, newId }: ChangeParts,
  log: ChangeLog,
  project: () => { id: string; files: WorkspaceFiles },
): UndoPort {
  return {
    ...{ store, log, blobs, journal, catalog, project, newId },
    intents: createIntents(join(dataDir, 'undo')),
    isRunning: (id) => turns.isRunning(id),
    between: (id, work) => turns.between(id, work),
    lastTurnOf: (runtime) => turns.lastTurnOf(runtime),
    rewind: (...request) => branches.rewind(...request),
  };
}

function createReview(port: UndoPort, texts: ContentTexts, undo: UndoService): ReviewService {
  const { store, project } = port;
  const bases = new ReviewBases(store.changes, store.state);
  const pendingFiles = new PendingFiles({ store: store.changes, texts, bases, project });
  const accepts = new Accepts(store.state, port.newId);
  return createReviewService({ pendingFiles, bases, accepts, undo, port });
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
  const port = undoPort(parts, log, required);
  const undo = new Undo(port);
  return {
    store: store.changes,
    log,
    blobs,
    undo,
    review: createReview(port, texts, undo),
    trace: createTraceService({ store: store.changes, sessions: store, texts, project: required }),
    bisect: createLateBisect({
      ...{ store, blobs, dataDir: parts.dataDir, ledger: parts.processes, project: required },
      onError: parts.onError,
    }),
  };
}
