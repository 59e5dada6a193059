import { z } from 'zod';
import { DiffHunk } from './diff';
import { CallId, MessageId, SessionId, Sha256, TurnId, WorkspacePath } from './ids';

/** One entry of the change log: the files that one action changed together. */
export const ChangeSetId = z.string().min(1).max(64).brand<'ChangeSetId'>();
export type ChangeSetId = z.infer<typeof ChangeSetId>;

/** The tool call that a change belongs to. */
export const CallAddress = z.object({ sessionId: SessionId, turnId: TurnId, callId: CallId });
export type CallAddress = z.infer<typeof CallAddress>;

/**
 * Who changed files: the agent with a file tool, a command of the agent, the user in the editor or the explorer, another
 * program, or the taking back of earlier changes (undo, redo, restore, rejected hunks).
 */
export const ChangeAuthor = z.discriminatedUnion('kind', [
  CallAddress.extend({ kind: z.literal('agent') }),
  CallAddress.extend({ kind: z.literal('command'), command: z.string() }),
  z.object({ kind: z.literal('user') }),
  z.object({ kind: z.literal('outside') }),
  z.object({
    kind: z.literal('undo'),
    /** What asked for it. */
    cause: z.enum(['undo', 'redo', 'restore', 'reject', 'resolve']),
    undoes: z.array(ChangeSetId),
  }),
]);
export type ChangeAuthor = z.infer<typeof ChangeAuthor>;

/** What a path holds. A link's bytes are its target; a folder has none and is listed only where it is empty. */
export const EntryKind = z.enum(['file', 'link', 'folder']);
export type EntryKind = z.infer<typeof EntryKind>;

/** One side of a change; null where there was nothing at the path. */
export const EntryState = z.object({
  kind: EntryKind,
  hash: Sha256,
  /** Permission bits; 0 for links. */
  mode: z.int(),
  sizeBytes: z.int(),
  /** False when the bytes were over the limit for kept files, so that this state can't be put back. */
  isKept: z.boolean(),
  /** In an ignored folder, which is followed while a command names it: it can be taken back, and waits for no review. */
  isIgnored: z.literal(true).optional(),
});
export type EntryState = z.infer<typeof EntryState>;

/** What happened to one path. A move is a removal and a creation with `movedFrom`. */
export const PathChange = z.object({
  path: WorkspacePath,
  movedFrom: WorkspacePath.nullable().default(null),
  before: EntryState.nullable(),
  after: EntryState.nullable(),
});
export type PathChange = z.infer<typeof PathChange>;

export const ChangeSet = z.object({
  id: ChangeSetId,
  /** Order in the project's log: 1, 2, 3 … with gaps. */
  seq: z.int(),
  /** Epoch milliseconds. */
  at: z.int(),
  author: ChangeAuthor,
  /** What happened, for people: "Edited `a.ts`", "npm run format". */
  label: z.string(),
  changes: z.array(PathChange),
  /** The set that took this one back, if it is taken back now. */
  undoneBy: ChangeSetId.nullable(),
  /** Project-relative paths whose effects could not be followed (too large, ignored), a few of them. */
  notCovered: z.array(z.string()).default([]),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

/** A turn as people know it: the number and the beginning of the message that began it. */
export const TurnRef = z.object({
  sessionId: SessionId,
  sessionTitle: z.string(),
  turnId: TurnId,
  /** 1-based in its session. */
  number: z.int(),
  /** First line of the user's message, cut. */
  request: z.string(),
  at: z.int(),
});
export type TurnRef = z.infer<typeof TurnRef>;

/** How one path came out of an undo or redo. */
export const UndoneFile = z.object({
  path: WorkspacePath,
  /**
   * `restored`: exactly as before; `merged`: taken back around later changes, which stay; `unchanged`: nothing was left of
   * the change; `conflict`: later changes are in the same lines, nothing was written; `not_kept`: the former bytes are not
   * there any more or never were.
   */
  outcome: z.enum(['restored', 'merged', 'unchanged', 'conflict', 'not_kept']),
  /** Why it was left alone, for people; '' otherwise. */
  why: z.string().default(''),
});
export type UndoneFile = z.infer<typeof UndoneFile>;

/** A file where an undo met later changes in the same lines; its sides are to be had until it is resolved or dropped. */
export const ConflictId = z.string().min(1).max(64).brand<'ConflictId'>();
export type ConflictId = z.infer<typeof ConflictId>;

export const UndoResult = z.object({
  /** The entry that was made; null when nothing had to be written. Redo takes it back. */
  setId: ChangeSetId.nullable(),
  files: z.array(UndoneFile),
  conflicts: z.array(z.object({ id: ConflictId, path: WorkspacePath })),
  /** What no undo reaches, as sentences: effects outside the folder, network, uncovered files. */
  cannot: z.array(z.string()),
});
export type UndoResult = z.infer<typeof UndoResult>;

/** The sides of a conflict as LF texts; null where the file does not exist on that side. */
export const ConflictView = z.object({
  id: ConflictId,
  path: WorkspacePath,
  /** As it is now, with the later changes. */
  current: z.string().nullable(),
  /** As the undo would leave it if the later changes were dropped. */
  wanted: z.string().nullable(),
  /** `current` with the undo applied where it fits; the lines in conflict stand between markers, see `regions`. */
  merged: z.string().nullable(),
  /** 1-based line ranges of `merged` that are in conflict. */
  regions: z.array(z.object({ start: z.int(), lines: z.int() })),
  /** Hash of the bytes on the disk that `current` was read from. */
  currentHash: Sha256.nullable(),
  isBinary: z.boolean(),
});
export type ConflictView = z.infer<typeof ConflictView>;

/** A hunk that waits for review. */
export const ReviewHunk = z.object({
  /** Stable while base and current text of its lines stay the same. */
  id: z.string(),
  hunk: DiffHunk,
  /** Turns that wrote or removed its lines, oldest first. */
  turns: z.array(TurnRef),
  /** True when lines of the user or another program are among them. */
  isMixed: z.boolean(),
});
export type ReviewHunk = z.infer<typeof ReviewHunk>;

/** A file with changes that wait for review. */
export const ReviewFile = z.object({
  path: WorkspacePath,
  movedFrom: WorkspacePath.nullable(),
  change: z.enum(['create', 'modify', 'delete', 'move']),
  additions: z.int(),
  deletions: z.int(),
  hunkCount: z.int(),
  turns: z.array(TurnRef),
  /** Not text, too large, or a link: reviewed as a whole. */
  isOpaque: z.boolean(),
  /** Its former content is not kept, so it can be accepted only. */
  canReject: z.boolean(),
});
export type ReviewFile = z.infer<typeof ReviewFile>;

export const ReviewTexts = z.object({
  file: ReviewFile,
  /** Last accepted text, LF; null when the file did not exist. */
  base: z.string().nullable(),
  /** Text on the disk, LF; null when it does not exist. */
  current: z.string().nullable(),
  currentHash: Sha256.nullable(),
  hunks: z.array(ReviewHunk),
});
export type ReviewTexts = z.infer<typeof ReviewTexts>;

/** What a person decided in the review last and can take back. */
export const DecisionFacts = z.object({
  id: z.string().min(1).max(64),
  verdict: z.enum(['accept', 'reject']),
  /** Epoch milliseconds. */
  at: z.int(),
  files: z.int(),
  /** The file when it is only one. */
  path: WorkspacePath.nullable(),
});
export type DecisionFacts = z.infer<typeof DecisionFacts>;

/** What taking a decision back did. */
export const DecisionUndo = z.object({
  decision: DecisionFacts,
  /** What was written; null for an accept, which never wrote anything. */
  result: UndoResult.nullable(),
  /** Files of an accept that wait again. */
  waits: z.array(WorkspacePath),
  /** Changes in them that did not wait before. */
  changes: z.int(),
  /** Files of an accept that stay as they are: decided on once more since, or what was accepted before is not kept. */
  left: z.array(WorkspacePath),
});
export type DecisionUndo = z.infer<typeof DecisionUndo>;

/** Who wrote a run of lines last. */
export const LineOrigin = z.object({
  /** 1-based. */
  startLine: z.int(),
  lines: z.int(),
  /** Null for lines that were there before the log begins. */
  set: z
    .object({
      id: ChangeSetId,
      at: z.int(),
      author: ChangeAuthor,
      label: z.string(),
      turn: TurnRef.nullable(),
    })
    .nullable(),
});
export type LineOrigin = z.infer<typeof LineOrigin>;

/** A place to go back to: right before the message that began a turn. */
export const CheckpointAddress = z.object({ sessionId: SessionId, messageId: MessageId });
