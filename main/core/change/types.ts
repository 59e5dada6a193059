import type { BisectProgress, ReviewFilter, UndoTarget } from '../../../shared/contract/changes';
import type {
  ChangeAuthor,
  ChangeSet,
  ChangeSetId,
  ConflictView,
  DecisionFacts,
  DecisionUndo,
  LineOrigin,
  PathChange,
  ReviewFile,
  ReviewTexts,
  UndoResult,
} from '../../../shared/model/change';
import type { TurnId } from '../../../shared/model/ids';
import type { SessionSummary } from '../../../shared/model/session';

/** Contents of files, each stored once under the SHA-256 of its bytes. */
export interface Blobs {
  /** Keeps bytes; durable when it resolves unless `lazy`. Contents over the limit are not kept. @returns whether they are kept */
  keep(bytes: Buffer, hash: string, options?: { lazy?: boolean }): Promise<boolean>;
  /** The bytes, checked against the hash; null when they are not there. */
  load(hash: string): Promise<Buffer | null>;
}

export interface NewChangeSet {
  /** Given where it is told before the entry is stored; a new one by default. */
  id?: string;
  author: ChangeAuthor;
  label: string;
  changes: readonly PathChange[];
  notCovered?: readonly string[];
  /** True when a person saw the diff and approved it: it does not wait for review. */
  isReviewed?: boolean;
  /** Epoch milliseconds; now by default. */
  at?: number;
}

/** A path's change with the entry it belongs to, for following one file through the log. */
export interface ChainLink {
  set: ChangeSet;
  change: PathChange;
  isReviewed: boolean;
}

/** What was accepted of a path: entries up to `seq` count as reviewed, and `hash` is the content that was accepted. */
export interface ReviewBase {
  path: string;
  seq: number;
  /** Null: the file did not exist. */
  hash: string | null;
}

/** The change log in the store. One per database; every method names the project. */
export interface ChangeStore {
  record(projectId: string, set: NewChangeSet): ChangeSet;
  get(id: string): ChangeSet | null;
  /** Newest first. */
  list(
    projectId: string,
    filter: {
      sessionId?: string;
      turnId?: string;
      callId?: string;
      path?: string;
      before?: number;
      limit?: number;
    },
  ): ChangeSet[];
  /** Every change of one path after `seq`, oldest first. */
  chain(projectId: string, path: string, afterSeq?: number): ChainLink[];
  /** Entries after `seq` that took the path away (deleted or moved) and are not undone, oldest first. */
  removals(projectId: string, path: string, afterSeq: number): ChangeSet[];
  /** Paths with a change of an agent or a command that is not reviewed and lies after the path's review base. */
  unreviewed(projectId: string, filter: { sessionId?: string; turnId?: string }): string[];
  markUndone(id: string, by: string | null): void;
  reviewBase(projectId: string, path: string): ReviewBase | null;
  setReviewBase(projectId: string, base: ReviewBase): void;
  /** Hashes that some entry or review base still needs, for collection. */
  liveHashes(): Set<string>;
  /** Drops entries older than this whose undo is not possible any more anyway. @returns how many */
  prune(beforeAt: number): number;
}

/** The log of the open project, for those who write files and those who read what happened. */
export interface ChangeLog {
  /** Stores an entry of the open project and tells the windows. */
  record(set: NewChangeSet): ChangeSet;
  /** Newest first. */
  list(filter: Parameters<ChangeStore['list']>[1]): ChangeSet[];
  /** Both sides of one change as LF texts. @throws AppError `not_found`, `binary_file`, `unsupported_encoding` */
  texts(setId: string, path: string): Promise<{ before: string | null; after: string | null }>;
  /** Called with the paths of each new entry or review decision; null when they are many. */
  onChange(listener: (paths: readonly string[] | null) => void): () => void;
  /** Tells the listeners of something that is no entry: a decision, an undone mark. */
  tell(paths: readonly string[] | null): void;
}

/** Undo, redo, conflicts and going back. Methods throw `AppError`s that a person can act on. */
export interface UndoService {
  preview(target: UndoTarget): Promise<UndoResult>;
  undo(target: UndoTarget): Promise<UndoResult>;
  redo(setId: string): Promise<UndoResult>;
  conflict(id: string): Promise<ConflictView>;
  resolve(id: string, text: string | null, currentHash: string | null): Promise<UndoResult>;
  dropConflict(id: string): void;
  /** A turn by its number (1-based), or the last one of which something is not taken back. @throws AppError `not_found` */
  turnToUndo(sessionId: string, number: number | null): { turnId: TurnId; number: number };
  /** The newest undo of a session that was not redone. @throws AppError `not_found` */
  undoToRedo(sessionId: string): ChangeSetId;
  /** Entries of a session, its subagents and its undos, oldest first; `turn` is the turn's number. */
  sessionLog(sessionId: string): { set: ChangeSet; turn: number | null }[];
  /** Brings to an end what a killed process had begun; once at the start, after the file sets. @returns how many undos */
  recover(onError: (error: unknown) => void): Promise<number>;
  previewRestore(sessionId: string, messageId: string): Promise<UndoResult>;
  restore(
    sessionId: string,
    messageId: string,
    what: 'files' | 'chat' | 'both',
  ): Promise<{ files: UndoResult | null; chat: { text: string; kept: SessionSummary | null } | null }>;
}

export interface ReviewDecision extends ReviewFilter {
  path: string | null;
  hunkIds: readonly string[] | null;
  /** The content that the person saw; left out: whatever is there. */
  currentHash?: string | null;
}

/** Changes of agents that wait for a person's yes. */
export interface ReviewService {
  pending(filter: ReviewFilter): Promise<ReviewFile[]>;
  pendingFile(path: string, filter: ReviewFilter): Promise<ReviewTexts>;
  accept(decision: ReviewDecision): Promise<ReviewFile[]>;
  reject(decision: ReviewDecision): Promise<{ pending: ReviewFile[]; result: UndoResult }>;
  /** The newest decision that was not taken back. */
  lastDecision(): DecisionFacts | null;
  /** @throws AppError `stale` when it is not the newest one any more, and what undoing throws */
  undoDecision(id: string): Promise<DecisionUndo>;
}

/** Which change wrote which line. */
export interface TraceService {
  origins(path: string): Promise<{ hash: string | null; origins: LineOrigin[] }>;
}

/** Finds the change that broke a test. */
export interface BisectService {
  run(
    request: { sessionId: string | null; command: string; timeoutSeconds: number },
    onProgress: (progress: BisectProgress) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Everything that is built on the change log. */
export interface ChangeServices {
  store: ChangeStore;
  log: ChangeLog;
  blobs: Blobs;
  undo: UndoService;
  review: ReviewService;
  trace: TraceService;
  bisect: BisectService;
}
