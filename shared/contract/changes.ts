import { z } from 'zod';
import {
  ChangeSet,
  ChangeSetId,
  CheckpointAddress,
  ConflictId,
  ConflictView,
  DecisionFacts,
  DecisionUndo,
  LineOrigin,
  ReviewFile,
  ReviewTexts,
  TurnRef,
  UndoResult,
} from '../model/change';
import { DiffHunk } from '../model/diff';
import { SessionSummary } from '../model/session';
import { CallId, SessionId, Sha256, TurnId, WorkspacePath } from '../model/ids';
import { domain, event, Nothing, request } from './define';

/** What to take back: a whole turn (with its subagents), or what one call did. */
export const UndoTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), sessionId: SessionId, turnId: TurnId }),
  /** With `path`: only that file of what the call changed. */
  z.object({
    kind: z.literal('call'),
    sessionId: SessionId,
    callId: CallId,
    path: WorkspacePath.optional(),
  }),
  z.object({ kind: z.literal('set'), setId: ChangeSetId }),
]);
export type UndoTarget = z.infer<typeof UndoTarget>;

/** Which pending changes are meant; null is no restriction. */
export const ReviewFilter = z.object({
  sessionId: SessionId.nullable().default(null),
  turnId: TurnId.nullable().default(null),
});
export type ReviewFilter = z.infer<typeof ReviewFilter>;

const Decision = ReviewFilter.extend({
  /** Null: every pending file. */
  path: WorkspacePath.nullable(),
  /** Null: every hunk of the file; otherwise `ReviewHunk.id`s. */
  hunkIds: z.array(z.string()).max(10_000).nullable().default(null),
  /** `ReviewTexts.currentHash` of the file as it was shown: `stale` when it is another by now. Left out: not asked. */
  currentHash: Sha256.nullable().optional(),
});

export const BisectProgress = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('copying'), files: z.int() }),
  z.object({
    kind: z.literal('run'),
    /** 1-based count of test runs so far and the most that are to be expected. */
    run: z.int(),
    most: z.int(),
    label: z.string(),
    passed: z.boolean().nullable(),
    /** End of the command's output. */
    output: z.string(),
  }),
  z.object({
    kind: z.literal('found'),
    set: ChangeSet,
    path: WorkspacePath.nullable(),
    hunkId: z.string().nullable(),
    /** The hunk as the change made it; left out when the file changed as a whole. */
    hunk: DiffHunk.optional(),
    turn: TurnRef.optional(),
    /** For people: what was found in the first line, then a line for each thing to know of it. */
    summary: z.string(),
    runs: z.int(),
  }),
  z.object({ kind: z.literal('nothing'), why: z.string(), runs: z.int() }),
]);
export type BisectProgress = z.infer<typeof BisectProgress>;

export const changes = domain('changes', {
  /** Entries of the open project's log, newest first. */
  log: request({
    input: ReviewFilter.extend({
      path: WorkspacePath.nullable().default(null),
      /** Only entries with a smaller `seq`. */
      before: z.int().nullable().default(null),
      limit: z.int().min(1).max(500).default(100),
    }),
    output: z.array(ChangeSet),
  }),
  /** The text of one side of an entry's change, LF. `not_found` when it is not kept, `binary_file`. */
  texts: request({
    input: z.object({ setId: ChangeSetId, path: WorkspacePath }),
    output: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
  }),

  /** What an undo would do; writes nothing. */
  previewUndo: request({ input: UndoTarget, output: UndoResult }),
  /** Takes changes back by a three-way merge: later changes of other lines stay. `busy` while the session's turn runs. */
  undo: request({ input: UndoTarget, output: UndoResult }),
  /** Takes an undo back. */
  redo: request({ input: z.object({ setId: ChangeSetId }), output: UndoResult }),
  /** The sides of a conflict that an undo left. */
  conflict: request({ input: z.object({ id: ConflictId }), output: ConflictView }),
  /** Writes what the user decided (null removes the file) and closes the conflict; `stale` when the file changed meanwhile. */
  resolve: request({
    input: z.object({ id: ConflictId, text: z.string().nullable(), currentHash: Sha256.nullable() }),
    output: UndoResult,
  }),
  dropConflict: request({ input: z.object({ id: ConflictId }), output: Nothing }),
  /** What going back to a message would do to files; writes nothing. */
  previewRestore: request({ input: CheckpointAddress, output: UndoResult }),
  /** Goes back to right before a message: the files, the chat, or both. The user's own later changes stay. */
  restore: request({
    input: CheckpointAddress.extend({ what: z.enum(['files', 'chat', 'both']) }),
    output: z.object({
      files: UndoResult.nullable(),
      chat: z.object({ text: z.string(), kept: SessionSummary.nullable() }).nullable(),
    }),
  }),

  /** Files with changes that wait for review. */
  pending: request({ input: ReviewFilter, output: z.array(ReviewFile) }),
  /** One of them with its hunks. `not_found` when nothing of it is pending. */
  pendingFile: request({ input: ReviewFilter.extend({ path: WorkspacePath }), output: ReviewTexts }),
  accept: request({ input: Decision, output: z.array(ReviewFile) }),
  /** Takes hunks back and tells the session's agent. Each rejection is an entry of the log, so it can be undone. */
  reject: request({
    input: Decision,
    output: z.object({ pending: z.array(ReviewFile), result: UndoResult }),
  }),

  /** The newest decision that can be taken back; null when there is none. */
  lastDecision: request({ input: Nothing, output: DecisionFacts.nullable() }),
  /**
   * Takes the newest decision back: a reject as any undo does, an accept by waiting again, which writes no file. `stale` when
   * another decision was made since.
   */
  undoDecision: request({ input: z.object({ id: z.string().min(1).max(64) }), output: DecisionUndo }),

  /** Who wrote each line of the file as it is on the disk. */
  origins: request({
    input: z.object({ path: WorkspacePath }),
    output: z.object({ hash: Sha256.nullable(), origins: z.array(LineOrigin) }),
  }),

  /** Something in the log or the review changed; paths of a few files, or null for many. */
  changed: event({ params: Nothing, payload: z.object({ paths: z.array(WorkspacePath).nullable() }) }),
  /**
   * Looks for the change of a session that made a test command fail, in a copy of the project. Unsubscribing stops it.
   * The last message is `found` or `nothing`.
   */
  bisect: event({
    params: z.object({
      sessionId: SessionId.nullable(),
      command: z.string().min(1).max(10_000),
      /** Seconds that one run may take. */
      timeoutSeconds: z.int().min(1).max(3600).default(300),
    }),
    payload: BisectProgress,
  }),
});
