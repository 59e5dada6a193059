import type { ProjectInfo } from '../../shared/contract/project';
import type { CallId, SessionId } from '../../shared/model/ids';
import type { Mode } from '../../shared/model/mode';
import type { SessionSummary } from '../../shared/model/session';
import type { TurnEvent } from '../../shared/model/turn-event';
import type { AgentCatalog } from './agent/agent-catalog';
import type { PlanService } from './agent/plan-service';
import type { Subagents } from './agent/subagents';
import type { Budgets } from './budget/budgets';
import type { ApprovalFlag, ApprovalGate } from './approval/types';
import type { EditTexts } from './change/edit-texts';
import type { ChangeServices } from './change/types';
import type { ContextService } from './context/context-service';
import type { HostPort } from './host-port';
import type { Logger } from './log/logger';
import type { ProjectMemory } from './memory/project-memory';
import type { ProviderCatalog } from './model/provider-catalog';
import type { OpenProject } from './project/open-project';
import type { ProjectFinder } from './project/project-finder';
import type { MessageQueue } from './session/message-queue';
import type { Asides } from './session/asides';
import type { QuestionBoard } from './session/question-board';
import type { SessionArchive } from './session-archive/session-archive';
import type { SearchIndexer } from './session/search-indexer';
import type { SessionBranches } from './session/session-branches';
import type { SessionCatalog } from './session/session-catalog';
import type { TurnService } from './session/turn-service';
import type { SettingsService } from './settings/settings-service';
import type { Store } from './store/types';
import type { CommandBus } from './window/command-bus';
import type { NoticeBoard } from './window/notice-board';
import type { WindowRegistry } from './window/window-registry';
import type { ProjectCatalog } from './workspace/project-catalog';

export interface CoreOptions {
  /** LATHE_HOME: everything Lathe keeps. */
  dataDir: string;
  host: HostPort;
  version: string;
  /** Folder of the package's assets (the tour project). */
  assetsDir: string;
  /** Who answers for the user; `dialog` by default. */
  flag?: ApprovalFlag;
  /** `required`: commands run confined, and the core does not start where that can't be had. */
  confinement?: 'required' | 'off';
  /** Address, model and key of the command line: for this run only, never stored. */
  modelOverride?: { baseUrl: string; model: string; apiKey: string };
  /** Cap on model steps of the command line; the agent's own cap stays in force. */
  maxSteps?: number;
  /** The login shell's environment, for terminals and commands of an app started from an icon. */
  loginEnv?: NodeJS.ProcessEnv;
  /** False where no person can be asked (ask_user is answered with null at once). */
  attended?: boolean;
}

/** What people choose for a session. */
export interface SessionChoice {
  mode?: Mode;
  model?: string | null;
  agent?: string | null;
  /** Null follows the setting, 0 is no limit. */
  budgetMicros?: number | null;
  budgetTokens?: number | null;
}

/** Sessions of the open project as hosts and scripts use them; ids are plain text from outside. */
export interface ProjectSessions {
  /** Subagents come with `children`. */
  list(query?: string, children?: boolean): SessionSummary[];
  /** An `agent` brings its mode with it. @throws AppError `not_found` for an unknown one */
  create(options: { mode: Mode; model: string | null; agent?: string | null }): SessionSummary;
  get(id: string): SessionSummary;
  rename(id: string, title: string): SessionSummary;
  /** Stops a running turn first. */
  remove(id: string): Promise<void>;
  /** Choosing an agent sets its mode; choosing a mode goes back to the mode's own agent. */
  configure(id: string, change: SessionChoice): SessionSummary;
}

/** The product without a window: what `createCore` composes and hosts call. Plain services, each owner of one noun. */
export interface Core {
  readonly version: string;
  readonly dataDir: string;
  readonly host: HostPort;
  readonly log: Logger;
  /** What went wrong at start and was worked around. */
  readonly startNotices: string[];
  readonly store: Store;
  readonly settings: SettingsService;
  readonly models: ProviderCatalog;
  readonly agents: AgentCatalog;
  readonly projects: ProjectCatalog;
  /** Which project a folder was before. */
  readonly finder: ProjectFinder;
  readonly catalog: SessionCatalog;
  readonly sessions: ProjectSessions;
  /** Forks and rewinds. */
  readonly branches: SessionBranches;
  /** Export and import. */
  readonly archive: SessionArchive;
  /** Brings old messages into the search. */
  readonly indexer: SearchIndexer;
  readonly turns: TurnService;
  /** Messages that wait for a turn to end. */
  readonly queue: MessageQueue;
  /** Side questions. */
  readonly asides: Asides;
  /** The change log, and what is built on it: undo, review, line origins, bisect. */
  readonly changes: ChangeServices;
  readonly context: ContextService;
  readonly plans: PlanService;
  readonly subagents: Subagents;
  readonly budgets: Budgets;
  readonly memory: ProjectMemory;
  readonly approvals: ApprovalGate;
  readonly questions: QuestionBoard;
  readonly windows: WindowRegistry;
  readonly notices: NoticeBoard;
  readonly commands: CommandBus;
  project(): OpenProject | null;
  /** @throws AppError `no_project` */
  requireProject(): OpenProject;
  /** Closes the open project and opens this one; running turns are stopped. @throws as ProjectCatalog.open */
  openProject(path: string): Promise<ProjectInfo>;
  /**
   * Settles once it is known that commands of the open project are confined as {@link CoreOptions.confinement} demands.
   *
   * @throws AppError `unsupported` when they can't be
   */
  confined(): Promise<void>;
  openTour(): Promise<ProjectInfo>;
  closeProject(): Promise<void>;
  /** Live events after they are stored. */
  subscribe(sessionId: string, listener: (event: TurnEvent) => void): () => void;
  revertEdit(sessionId: SessionId, callId: CallId, path: string): Promise<void>;
  /** @throws as `editTexts` */
  editTexts(sessionId: SessionId, callId: CallId, path: string): Promise<EditTexts>;
  /** Stops turns, kills what they started, stores what is pending, closes the store. */
  close(): Promise<void>;
}
