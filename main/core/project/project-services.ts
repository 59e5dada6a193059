import type { ChangeSet } from '../../../shared/model/change';
import type { TaskPort } from '../agent/task-port';
import type { Policy } from '../approval/policy';
import type { RulesFile } from '../approval/rules-file';
import type { ApprovalFlag, ApprovalGate } from '../approval/types';
import type { EffectsOptions } from '../change/baseline/command-effects';
import type { BlobStore } from '../change/blobs/blob-store';
import type { FileSetJournal } from '../change/file-set-journal';
import type { ChangeLog, NewChangeSet } from '../change/types';
import type { HostPort } from '../host-port';
import type { Logger } from '../log/logger';
import type { MemoryPort } from '../memory/memory-port';
import type { ProcessLedger } from '../process/ledger';
import type { LateConfinement } from '../sandbox/late-confinement';
import type { QuestionBoard } from '../session/question-board';
import type { SettingsService } from '../settings/settings-service';
import type { Store } from '../store/types';

/** What a project needs of the rest of the core; the same for every one that is opened, but for its confinement. */
export interface ProjectServices {
  store: Store;
  settings: SettingsService;
  host: HostPort;
  log: Logger;
  policy: Policy;
  gate: ApprovalGate;
  questions: QuestionBoard;
  processes: ProcessLedger;
  /** Subagents, for the tools that start and collect them. */
  tasks: TaskPort;
  /** What earlier sessions left for later ones. */
  memory: MemoryPort;
  userRules: RulesFile;
  /** Contents of files as they were and as they became. */
  images: BlobStore;
  /** Makes an entry of the open project's change log. */
  recordChange(set: NewChangeSet): ChangeSet;
  /** The open project's change log. */
  changeLog(): ChangeLog;
  /** Appends an event to a session whose call has ended. */
  lateEvent: EffectsOptions['late'];
  /** Changes of several files that are being written. */
  fileSets: FileSetJournal;
  dataDir: string;
  flag: ApprovalFlag;
  confinement: 'required' | 'off';
  /** What commands are shut into; null when they run as the user. */
  confined: LateConfinement | null;
  terminalEnv: NodeJS.ProcessEnv;
}
