import { z } from 'zod';
import { ErrorShape } from '../error';
import { ImageFacts } from '../image/image-facts';
import { DecidedBy, PendingApproval } from './approval';
import { ChangeSetId } from './change';
import { FileDiff } from './diff';
import { AsideId, CallId, MessageId, QuestionId, SessionId, TurnId } from './ids';
import { Mode } from './mode';
import { Plan } from './plan';
import { Receipt } from './receipt';
import { TodoItem } from './todo';
import { CallResult, CallState, TurnEndReason, UndoFacts } from './turn-event';

/** How many characters of a call's streamed output a view keeps: the tail, as a terminal would. */
export const CALL_OUTPUT_TAIL_CHARS = 20_000;

export const CallView = z.object({
  callId: CallId,
  tool: z.string(),
  label: z.string(),
  args: z.unknown(),
  state: CallState,
  by: DecidedBy.optional(),
  error: ErrorShape.optional(),
  result: CallResult.optional(),
  output: z.string(),
  outputCut: z.boolean(),
  diffs: z.array(z.object({ diff: FileDiff, reverted: z.boolean() })),
  /** What a command did to files. */
  changed: z
    .object({
      setId: ChangeSetId,
      files: z.array(z.object({ path: z.string(), change: z.enum(['create', 'modify', 'delete', 'move']) })),
      more: z.int(),
      notCovered: z.array(z.string()),
    })
    .optional(),
  startedAt: z.int(),
  durationMs: z.number().optional(),
  /** Pictures it read: each lies in a message, at a place. */
  images: z.array(z.object({ ...ImageFacts.shape, messageId: MessageId, index: z.int() })).optional(),
  /** The subagent's session that this call started. */
  child: z
    .object({ sessionId: SessionId, agent: z.string(), title: z.string(), background: z.boolean() })
    .optional(),
});
export type CallView = z.infer<typeof CallView>;

export const ItemView = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('user'),
    key: z.string(),
    messageId: MessageId,
    turnId: TurnId,
    text: z.string(),
    at: z.int(),
    interjection: z.boolean(),
    images: z.array(ImageFacts).optional(),
  }),
  z.object({
    kind: z.literal('step'),
    key: z.string(),
    messageId: MessageId,
    turnId: TurnId,
    step: z.int(),
    reasoning: z.string(),
    reasoningMs: z.number().nullable(),
    text: z.string(),
    calls: z.array(CallView),
    status: z.enum(['streaming', 'answer', 'calls', 'housekeeping', 'partial', 'aborted']),
    startedAt: z.int(),
    durationMs: z.number().nullable(),
    /** `provider/model` that answered; absent when it was not known at the step's start. */
    model: z.string().optional(),
    /** Why that model ("chosen in the session", "auto: the fast model for a simple request"). */
    modelReason: z.string().optional(),
  }),
  z.object({
    kind: z.literal('notice'),
    key: z.string(),
    turnId: TurnId,
    at: z.int(),
    tone: z.enum(['info', 'warn', 'error', 'retry']),
    text: z.string(),
    error: ErrorShape.optional(),
    /** For `retry`: epoch milliseconds of the next try. */
    until: z.int().optional(),
    /** For a compaction that can be undone. */
    compaction: z
      .object({ id: z.string(), beforeTokens: z.int(), afterTokens: z.int(), undone: z.boolean() })
      .optional(),
  }),
  z.object({
    kind: z.literal('aside'),
    key: z.string(),
    turnId: TurnId,
    asideId: AsideId,
    at: z.int(),
    question: z.string(),
    /** null while it is being answered; it stays so when the host died meanwhile. */
    answer: z.object({ text: z.string(), stopped: z.boolean(), error: ErrorShape.optional() }).nullable(),
  }),
  z.object({
    kind: z.literal('undo'),
    key: z.string(),
    turnId: TurnId,
    at: z.int(),
    undo: UndoFacts,
  }),
  z.object({
    kind: z.literal('end'),
    key: z.string(),
    turnId: TurnId,
    at: z.int(),
    reason: TurnEndReason,
    steps: z.int(),
    durationMs: z.number(),
    error: ErrorShape.optional(),
    why: z.string().optional(),
    receipt: Receipt.optional(),
  }),
]);
export type ItemView = z.infer<typeof ItemView>;
export type StepView = Extract<ItemView, { kind: 'step' }>;

export const QuestionView = z.object({
  questionId: QuestionId,
  callId: CallId,
  question: z.string(),
  options: z.array(z.string()),
});
export type QuestionView = z.infer<typeof QuestionView>;

export const LiveTurnView = z.object({
  turnId: TurnId,
  mode: Mode,
  startedAt: z.int(),
  step: z.int(),
  maxSteps: z.int(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** Why that model. */
  reason: z.string().optional(),
  scripted: z.boolean(),
});
export type LiveTurnView = z.infer<typeof LiveTurnView>;

/** Everything the chat shows of one session, built from its events alone. Immutable: reducing returns a new value. */
export const SessionView = z.object({
  /** seq of the last event that is in. */
  seq: z.int(),
  items: z.array(ItemView),
  /** Items before the first one here exist in the store but are not loaded (windowed snapshot). */
  olderItems: z.int(),
  live: LiveTurnView.nullable(),
  approvals: z.array(PendingApproval),
  questions: z.array(QuestionView),
  todos: z.array(TodoItem),
  plans: z.array(Plan).default([]),
  contextWindow: z.int().nullable(),
  /** A model is being asked for a summary of what is older. */
  compacting: z.boolean().default(false),
  contextTokens: z.int().nullable(),
  tokensEstimated: z.boolean(),
  totalTokens: z.int(),
  /** Known cost of all requests in millionths of a US dollar; null while none had a known price. */
  costMicros: z.int().nullable().default(null),
  toolCount: z.int(),
  errorCount: z.int(),
  lastEnd: z
    .object({ reason: TurnEndReason, error: ErrorShape.optional(), durationMs: z.number() })
    .nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

export function emptySessionView(): SessionView {
  return {
    seq: 0,
    items: [],
    olderItems: 0,
    live: null,
    approvals: [],
    questions: [],
    todos: [],
    plans: [],
    contextWindow: null,
    compacting: false,
    contextTokens: null,
    tokensEstimated: false,
    totalTokens: 0,
    costMicros: null,
    toolCount: 0,
    errorCount: 0,
    lastEnd: null,
  };
}
