import type { SessionId, TurnId } from '../../../../shared/model/ids';
import type { SessionBranches } from '../../session/session-branches';
import type { SessionCatalog } from '../../session/session-catalog';
import type { SessionRuntime } from '../../session/session-runtime';
import type { Store } from '../../store/types';
import type { WorkspaceFiles } from '../../workspace/types';
import type { FileSetJournal } from '../file-set-journal';
import type { Blobs, ChangeLog } from '../types';
import type { Intents } from './intents';

/** The open project, as the log knows it. */
export interface UndoProject {
  /** The folder's own id. */
  id: string;
  files: WorkspaceFiles;
}

/** What undo needs of the rest of the core. */
export interface UndoPort {
  store: Pick<Store, 'changes' | 'sessions' | 'windows' | 'branches' | 'state'>;
  log: ChangeLog;
  blobs: Blobs;
  journal: FileSetJournal;
  intents: Intents;
  catalog: SessionCatalog;
  /** @throws AppError `no_project` */
  project(): UndoProject;
  isRunning(sessionId: string): boolean;
  /** Holds a session between its turns. @throws AppError `busy` */
  between<T>(sessionId: SessionId, work: (runtime: SessionRuntime) => Promise<T>): Promise<T>;
  /** The turn that something between turns is filed under. */
  lastTurnOf(runtime: SessionRuntime): TurnId;
  rewind: SessionBranches['rewind'];
  newId(): string;
}
