import type { MemoryStore } from './memory-store';
import type { Grant, Rule } from '../../../shared/model/approval';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionView } from '../../../shared/model/session-view';
import type { TurnEvent, TurnEventPayload } from '../../../shared/model/turn-event';
import type { Mode } from '../../../shared/model/mode';
import type { ContextStore } from '../context/records';
import type { ModelMessage } from '../model/port';
import type { BranchStore } from './branch-store';
import type { ChangeTables } from './change-store';
import type { SearchStore } from './search-store';
import type { StoredMessage } from './stored-message';
import type { WindowStore } from './window-store';

export interface StoredProject {
  /** The project that the folder counts as: sessions belong to it. */
  id: string;
  /** The folder's own row; equal to `id` unless it is linked to another project. */
  folderId: string;
  path: string;
  name: string;
  device: string | null;
  inode: string | null;
  isTour: boolean;
  lastOpenedAt: number;
  /** Address of its repository without credentials, and where its history begins; null: none, or not known yet. */
  remote: string | null;
  rootCommit: string | null;
}

export interface ProjectStore {
  /**
   * Finds by real path, else by device + inode (a renamed folder: `movedFrom` is where it was), else makes a new row.
   */
  open(
    path: string,
    facts: { name: string; device: string | null; inode: string | null; isTour: boolean },
  ): StoredProject & { movedFrom: string | null };
  /** The project at this path as it is known; opens nothing. */
  byPath(path: string): StoredProject | null;
  /** As `byPath`; an unknown one is noted down, but not among the recent ones until it is opened. */
  ensure(path: string): StoredProject;
  /** Every folder that was opened, newest first; linked ones are listed too. */
  recent(limit: number): StoredProject[];
  byId(id: string): StoredProject | null;
  forget(id: string): void;
  setRepository(folderId: string, facts: { remote: string | null; rootCommit: string | null }): void;
  /** Other projects whose history begins in the same commit, without those that are to be kept apart from this folder. */
  sameRepository(folder: StoredProject): StoredProject[];
  sessionCount(id: string): number;
  /** The folder counts as the other project from now on, with its sessions: in its place when that folder is gone. */
  relink(folder: StoredProject, other: StoredProject, otherIsGone: boolean): void;
  /** Undoes that a folder was taken for the one that was at `formerPath`. */
  split(folder: StoredProject, formerPath: string): void;
  /** The two are not offered to each other again. */
  keepSeparate(folderId: string, otherId: string): void;
}

/** Who gave a session its title: its first message, the title agent, or a person (which is never overridden). */
export type TitleBy = 'message' | 'model' | 'user';

/** What of a session can be changed. */
export type SessionUpdate = { titleBy?: TitleBy } & Partial<
  Pick<
    SessionSummary,
    'title' | 'mode' | 'agent' | 'model' | 'activity' | 'lastFact' | 'budgetMicros' | 'budgetTokens'
  >
>;

export interface SessionStore {
  create(row: {
    id: string;
    projectId: string;
    projectPath: string;
    mode: Mode;
    model: string | null;
    title: string;
    agent?: string | null;
    /** Set for a subagent's session. */
    parentId?: string;
    parentCallId?: string;
    maxSteps?: number;
  }): SessionSummary;
  get(id: string): SessionSummary | null;
  /**
   * Newest first; `projectId` null = all projects. `query` matches the title, case-insensitively. Sessions of subagents are
   * left out unless `children` is true, or is the id of the session that started them.
   */
  list(filter: {
    projectId: string | null;
    query?: string;
    limit?: number;
    children?: boolean | { of: string };
  }): SessionSummary[];
  update(id: string, change: SessionUpdate): SessionSummary;
  titleBy(id: string): TitleBy;
  /** The session that was imported from this one of another tool. */
  byOrigin(origin: string, originId: string): SessionSummary | null;
  /** Tokens and millionths of a dollar that a session and its subagents have spent together. */
  spending(id: string): { micros: number; tokens: number };
  /** Adds spending that no usage event tells of. */
  spend(id: string, amount: { micros: number; tokens: number }): void;
  /** Removes the session with all its rows. */
  remove(id: string): void;
  /** Subagents that still wait for a free place, as far as the store knows. */
  queued(): SessionSummary[];
  /** Sessions still marked running or waiting: after a crash they are put right at start. */
  unfinished(): SessionSummary[];
}

/** What goes into the transaction besides events and messages. */
export interface AppendExtras {
  /** Epoch milliseconds of the events; now by default. */
  at?: number;
  /** Lines of the session's recording that led to these events; '' for none. */
  tape?: string;
}

/** What came into a session from outside, line by line, so that its turns can be played again. */
export interface RecordingStore {
  /** All lines in the order in which they were recorded; '' when there are none. */
  read(sessionId: string): Promise<string>;
  /** Compresses what a finished turn has left, off the main thread; safe at any moment. */
  pack(sessionId: string): Promise<void>;
}

/** The event log. `append` is one transaction; events get their seq here. */
export interface EventStore {
  /** Stores payloads in order together with the messages that belong to the same moment; returns the events with seq. */
  append(
    sessionId: string,
    turnId: string,
    payloads: readonly TurnEventPayload[],
    messages?: readonly { id: string; message: ModelMessage }[],
    extras?: AppendExtras,
  ): TurnEvent[];
  lastSeq(sessionId: string): number;
  /** Events with seq > after, in order, at most `limit`. Unreadable rows are skipped and counted in `unreadable`. */
  after(sessionId: string, after: number, limit?: number): { events: TurnEvent[]; unreadable: number };
  /** Messages with position > `after` that no rewind has voided, in order, at most `limit`. */
  messages(
    sessionId: string,
    after?: number,
    limit?: number,
  ): { messages: StoredMessage[]; unreadable: number };
  /** Appends messages alone (repair after a crash). */
  addMessages(
    sessionId: string,
    turnId: string,
    messages: readonly { id: string; message: ModelMessage }[],
  ): void;
  /** Replaces the text of a stored message (a partial answer that was continued). */
  replaceMessage(sessionId: string, id: string, message: ModelMessage): void;
  /** The cached view up to some seq, so that opening a long session doesn't reduce all its events. */
  saveView(sessionId: string, view: SessionView): void;
  loadView(sessionId: string): SessionView | null;
}

export interface GrantStore {
  list(sessionId: string | null): Grant[];
  add(rule: Rule, scope: 'session' | 'always', sessionId: string | null): Grant;
  touch(id: string): void;
  revoke(id: string): void;
}

/** Small JSON values: window state, drafts, input history. */
export interface StateStore {
  get(scope: string, key: string): unknown;
  /** The value's JSON as it is stored; null for none. For values that are read often and change seldom. */
  text(scope: string, key: string): string | null;
  /** @throws AppError `bad_argument` over 256 KB */
  set(scope: string, key: string, value: unknown): void;
}

export interface BackupStore {
  /** Whether unsaved text is kept for the path. */
  has(projectId: string, path: string): boolean;
  list(projectId: string): {
    path: string;
    baseHash: string | null;
    text: string;
    cursorLine: number;
    cursorColumn: number;
    savedAt: number;
  }[];
  keep(
    projectId: string,
    backup: { path: string; baseHash: string | null; text: string; cursorLine: number; cursorColumn: number },
  ): void;
  drop(projectId: string, path: string): void;
}

/** Context windows in tokens that overflow errors told of, per provider and model. */
export interface LearnedWindowStore {
  get(provider: string, model: string): number | null;
  learn(provider: string, model: string, tokens: number): void;
}

export interface Store {
  /** The database file, for workers with a connection of their own. */
  readonly path: string;
  readonly changes: ChangeTables;
  readonly branches: BranchStore;
  readonly windows: WindowStore;
  readonly search: SearchStore;
  readonly projects: ProjectStore;
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly grants: GrantStore;
  readonly state: StateStore;
  readonly backups: BackupStore;
  readonly learnedWindows: LearnedWindowStore;
  readonly memory: MemoryStore;
  readonly context: ContextStore;
  readonly recordings: RecordingStore;
  /** What happened on opening: `fresh`, `ok`, `migrated`, `recovered` (a damaged file was set aside) … */
  readonly opened: { outcome: 'fresh' | 'ok' | 'migrated' | 'recovered'; notice: string | null };
  /** True when another process wrote something since the last call. */
  changedElsewhere(): boolean;
  close(): void;
}
