import { z } from 'zod';
import { ErrorShape } from '../error';
import { ImageFacts } from '../image/image-facts';
import { ApprovalAnswer, DecidedBy, PendingApproval } from './approval';
import { ChangeSetId, ConflictId, UndoneFile } from './change';
import { Classification } from './classification';
import { FileDiff } from './diff';
import { ApprovalId, AsideId, CallId, MessageId, QuestionId, SessionId, TurnId } from './ids';
import { Mode } from './mode';
import { Plan } from './plan';
import { Receipt } from './receipt';
import { TodoItem } from './todo';

export const CallState = z.enum([
  'validating',
  'awaiting_approval',
  'running',
  'success',
  'error',
  'denied',
  'cancelled',
]);
export type CallState = z.infer<typeof CallState>;

export const TurnEndReason = z.enum(['done', 'step_limit', 'stopped', 'repeated_calls', 'error', 'budget']);
export type TurnEndReason = z.infer<typeof TurnEndReason>;

/** What of a tool's result a pane shows in an opened chip. `text` is what the model was given. */
export const CallResult = z.object({
  text: z.string(),
  /** Exit code of a command; null when a signal ended it. */
  exitCode: z.int().nullable().optional(),
  /** How many characters were cut from the middle or end before the model saw it. */
  cutChars: z.int().optional(),
  /** Path of a file that holds the whole output, when it was cut. */
  fullOutputPath: z.string().optional(),
});
export type CallResult = z.infer<typeof CallResult>;

/** What an undo or redo did, for the transcript. */
export const UndoFacts = z.object({
  /** The entry that was made; null when nothing had to be written. */
  setId: ChangeSetId.nullable(),
  cause: z.enum(['undo', 'redo', 'restore', 'reject', 'resolve']),
  /** What was taken back: of a restore the oldest turn. Null where it does not apply. */
  targetTurnId: TurnId.nullable(),
  targetCallId: CallId.nullable(),
  /** Of a redo: the entry of the undo that it takes back. */
  redoes: ChangeSetId.optional(),
  /** Turn's number and the like, for people: "turn 3", "the edit of `a.ts`". */
  label: z.string(),
  files: z.array(UndoneFile),
  /** Files beyond those listed. */
  more: z.int().default(0),
  conflicts: z.array(z.object({ id: ConflictId, path: z.string() })).default([]),
});
export type UndoFacts = z.infer<typeof UndoFacts>;

const Position = z.object({ path: z.string(), line: z.int().optional() });

/**
 * The payloads, one per `type`. An event as stored and sent is a payload plus {seq, at, sessionId, turnId}:
 * see {@link TurnEvent}. Names are a public contract (command line `--json`, exports, panes).
 */
export const TurnEventPayload = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn.started'),
    messageId: MessageId,
    text: z.string(),
    mode: Mode,
    agent: z.string(),
    /** `retry` and `continue` go on from the last turn instead of adding a user message. */
    kind: z.enum(['message', 'retry', 'continue']).default('message'),
    /** Pictures of the message, in its order. */
    images: z.array(ImageFacts).optional(),
  }),
  z.object({
    type: z.literal('turn.classified'),
    ...Classification.shape,
    /** Words alone decided, or a model was asked. */
    by: z.enum(['words', 'model']),
  }),
  z.object({
    type: z.literal('model.resolved'),
    provider: z.string(),
    model: z.string(),
    contextWindow: z.int(),
    reason: z.string(),
    scripted: z.boolean().default(false),
  }),
  z.object({ type: z.literal('step.started'), step: z.int(), maxSteps: z.int(), messageId: MessageId }),
  z.object({ type: z.literal('reasoning.delta'), messageId: MessageId, text: z.string() }),
  z.object({ type: z.literal('text.delta'), messageId: MessageId, text: z.string() }),
  /** Text of this message shown so far is void: the reply is asked for again. */
  z.object({ type: z.literal('text.reset'), messageId: MessageId }),
  z.object({
    type: z.literal('call.requested'),
    callId: CallId,
    messageId: MessageId,
    tool: z.string(),
    args: z.unknown(),
    /** One line for the activity feed, for example "Read `src/a.ts` 1–40". */
    label: z.string(),
    location: Position.optional(),
  }),
  z.object({
    type: z.literal('call.state'),
    callId: CallId,
    tool: z.string(),
    state: CallState,
    /** A better label once the outcome is known ("Edited `a.ts` +3 −1"). */
    label: z.string().optional(),
    by: DecidedBy.optional(),
    error: ErrorShape.optional(),
    result: CallResult.optional(),
    durationMs: z.number().optional(),
  }),
  z.object({
    type: z.literal('call.output'),
    callId: CallId,
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.object({ type: z.literal('diff'), callId: CallId, diff: FileDiff }),
  z.object({ type: z.literal('diff.reverted'), callId: CallId, path: z.string(), diff: FileDiff }),
  /** What a command did to files, as an entry of the change log; the first of them come as `diff` too. */
  z.object({
    type: z.literal('files.changed'),
    callId: CallId,
    setId: ChangeSetId,
    files: z.array(z.object({ path: z.string(), change: z.enum(['create', 'modify', 'delete', 'move']) })),
    /** Files beyond those listed. */
    more: z.int().default(0),
    /** Project-relative paths whose effects could not be followed, a few of them. */
    notCovered: z.array(z.string()).default([]),
  }),
  /** Changes were taken back, or an undo was taken back (`redo`). */
  z.object({ type: z.literal('files.undone'), undo: UndoFacts }),
  z.object({ type: z.literal('approval.asked'), approval: PendingApproval }),
  z.object({
    type: z.literal('approval.replied'),
    approvalId: ApprovalId,
    callId: CallId,
    answer: ApprovalAnswer,
    by: DecidedBy,
  }),
  z.object({
    type: z.literal('question.asked'),
    questionId: QuestionId,
    callId: CallId,
    question: z.string(),
    options: z.array(z.string()),
  }),
  z.object({
    type: z.literal('question.answered'),
    questionId: QuestionId,
    callId: CallId,
    answer: z.string().nullable(),
  }),
  z.object({
    type: z.literal('interjection'),
    messageId: MessageId,
    text: z.string(),
    images: z.array(ImageFacts).optional(),
  }),
  /** Pictures that calls of one reply read; they lie in the message `messageId`, in this order. */
  z.object({
    type: z.literal('images.read'),
    messageId: MessageId,
    images: z.array(z.object({ ...ImageFacts.shape, callId: CallId })),
  }),
  /** A side question: shown and kept, never part of what the model is sent later. */
  z.object({ type: z.literal('aside.asked'), asideId: AsideId, question: z.string() }),
  z.object({
    type: z.literal('aside.answered'),
    asideId: AsideId,
    text: z.string(),
    /** True when the user ended it before it was whole. */
    stopped: z.boolean(),
    error: ErrorShape.optional(),
  }),
  z.object({
    type: z.literal('nudge'),
    kind: z.string(),
    text: z.string(),
    /** `warn`: the user should know; `info` when absent. */
    tone: z.enum(['info', 'warn']).optional(),
  }),
  z.object({
    type: z.literal('compaction'),
    tier: z.enum(['in_turn', 'between_turns', 'full']),
    beforeTokens: z.int(),
    afterTokens: z.int(),
    note: z.string(),
    /** Names a stored compaction that can be undone; absent for the in-turn tier. */
    compactionId: z.string().optional(),
    /** What the requests for the summary cost, where the provider said it. */
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }).optional(),
  }),
  /** A model is asked for a summary; `compaction` follows, or a nudge `compaction_failed`, or nothing when nothing could go. */
  z.object({ type: z.literal('compaction.started'), tier: z.enum(['between_turns', 'full']) }),
  /** The next request is made of the messages again that this compaction had replaced. */
  z.object({ type: z.literal('compaction.undone'), compactionId: z.string(), contextTokens: z.int() }),
  z.object({ type: z.literal('todo.changed'), items: z.array(TodoItem) }),
  /** A call started a subagent; what that one does is told by the events of its own session. */
  z.object({
    type: z.literal('subagent.started'),
    callId: CallId,
    childId: SessionId,
    /** The agent as people read it. */
    agent: z.string(),
    title: z.string(),
    background: z.boolean(),
  }),
  /** A plan as it is now; the first one with its id adds it. */
  z.object({ type: z.literal('plan.changed'), plan: Plan }),
  z.object({
    type: z.literal('usage'),
    inputTokens: z.int(),
    outputTokens: z.int(),
    cachedTokens: z.int().optional(),
    /** True when the provider reported nothing and the numbers are our own estimate; shown with "~". */
    estimated: z.boolean(),
    /** `provider/model` that was paid. */
    model: z.string().optional(),
    /** Millionths of a US dollar by the price table; absent when the model has no known price. */
    costMicros: z.int().optional(),
    /** What was asked for, `step` when absent. Only a step says how full the context is. */
    purpose: z.enum(['step', 'summary', 'title', 'compaction', 'facts', 'classify', 'aside']).optional(),
  }),
  z.object({
    type: z.literal('retry'),
    attempt: z.int(),
    maxAttempts: z.int(),
    waitMs: z.int(),
    reason: z.string(),
    error: ErrorShape.optional(),
  }),
  z.object({
    type: z.literal('step.finished'),
    step: z.int(),
    messageId: MessageId,
    durationMs: z.number(),
    /** `housekeeping` steps (todo only) are not shown as an answer (H18). */
    kind: z.enum(['answer', 'calls', 'housekeeping', 'partial']),
  }),
  /** The chat went back to before a message: what came after it stays stored but no longer counts. */
  z.object({
    type: z.literal('session.rewound'),
    /** Events from this seq on are void. */
    toSeq: z.int().min(1),
    /** Messages for the model from this position on are void. */
    position: z.int().min(1),
    /** How many items of the view remain. */
    items: z.int().min(0),
    /** The todo list and the plans as they were then. */
    todos: z.array(TodoItem).default([]),
    plans: z.array(Plan).default([]),
    /** The session that keeps what was cut off; null when the user wanted none. */
    keptAs: SessionId.nullable().default(null),
  }),
  /** The session was read from a folder or another tool's log. */
  z.object({
    type: z.literal('session.imported'),
    /** Who wrote it: `lathe`, `claude`, `codex`, `opencode`, `pi`, `openai` (messages alone). */
    source: z.string().max(40),
    /** Lines or records that could not be read and were left out. */
    skipped: z.int().min(0),
    text: z.string().max(1000),
  }),
  z.object({
    type: z.literal('turn.finished'),
    reason: TurnEndReason,
    steps: z.int(),
    /** The final answer as shown; '' when the turn ended without one. */
    text: z.string(),
    error: ErrorShape.optional(),
    durationMs: z.number(),
    /** Why a guard ended the turn, as a sentence. */
    why: z.string().optional(),
    /** What the turn's events show, and which statements of `text` they don't. */
    receipt: Receipt.optional(),
  }),
]);
export type TurnEventPayload = z.infer<typeof TurnEventPayload>;

export const EventHeader = z.object({
  /** 1, 2, 3 … per session without gaps. */
  seq: z.int().min(1),
  /** Epoch milliseconds. */
  at: z.int(),
  sessionId: SessionId,
  turnId: TurnId,
});
export type EventHeader = z.infer<typeof EventHeader>;

export const TurnEvent = z.intersection(EventHeader, TurnEventPayload);
export type TurnEvent = EventHeader & TurnEventPayload;
