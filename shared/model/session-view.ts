import { z } from 'zod';
import { ErrorShape } from '../error';
import { DecidedBy, PendingApproval } from './approval';
import { FileDiff } from './diff';
import { CallId, MessageId, QuestionId, TurnId } from './ids';
import { Mode } from './mode';
import { TodoItem } from './todo';
import { CallResult, CallState, TurnEndReason, type TurnEvent } from './turn-event';

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
  startedAt: z.int(),
  durationMs: z.number().optional(),
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
  contextWindow: z.int().nullable(),
  contextTokens: z.int().nullable(),
  tokensEstimated: z.boolean(),
  totalTokens: z.int(),
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
    contextWindow: null,
    contextTokens: null,
    tokensEstimated: false,
    totalTokens: 0,
    toolCount: 0,
    errorCount: 0,
    lastEnd: null,
  };
}

function replaceLast<T>(list: readonly T[], found: (item: T) => boolean, change: (item: T) => T): T[] {
  for (let i = list.length - 1; i >= 0; i -= 1) {
    const item = list[i] as T;
    if (found(item)) {
      const next = list.slice();
      next[i] = change(item);
      return next;
    }
  }
  return list as T[];
}

const changeStep = (view: SessionView, messageId: string, change: (step: StepView) => StepView): ItemView[] =>
  replaceLast(
    view.items,
    (item) => item.kind === 'step' && item.messageId === messageId,
    (item) => (item.kind === 'step' ? change(item) : item),
  );

const changeCall = (view: SessionView, callId: string, change: (call: CallView) => CallView): ItemView[] =>
  replaceLast(
    view.items,
    (item) => item.kind === 'step' && item.calls.some((call) => call.callId === callId),
    (item) =>
      item.kind === 'step'
        ? { ...item, calls: item.calls.map((call) => (call.callId === callId ? change(call) : call)) }
        : item,
  );

function appendTail(output: string, cut: boolean, chunk: string): { output: string; outputCut: boolean } {
  const joined = output + chunk;
  if (joined.length <= CALL_OUTPUT_TAIL_CHARS) return { output: joined, outputCut: cut };
  return { output: joined.slice(-CALL_OUTPUT_TAIL_CHARS), outputCut: true };
}

const modelOf = (live: LiveTurnView | null): { model?: string } =>
  live?.provider && live.model ? { model: `${live.provider}/${live.model}` } : {};

const withItem = (view: SessionView, item: ItemView): ItemView[] => [...view.items, item];

const finalStates: ReadonlySet<CallState> = new Set(['success', 'error', 'denied', 'cancelled']);

/** Closes what a finished or broken turn left open, so that no spinner outlives its turn. */
function settleItems(items: readonly ItemView[], turnId: string): ItemView[] {
  return items.map((item) => {
    if (item.kind !== 'step' || item.turnId !== turnId) return item;
    const open = item.calls.some((call) => !finalStates.has(call.state));
    if (item.status !== 'streaming' && !open) return item;
    return {
      ...item,
      status: item.status === 'streaming' ? 'aborted' : item.status,
      calls: item.calls.map((call) =>
        finalStates.has(call.state) ? call : { ...call, state: 'cancelled' as const },
      ),
    };
  });
}

/**
 * Adds one event to a view. Pure and shared by main and renderer, so both always show the same thing. Events at or
 * below `view.seq` are ignored (a reconnect may repeat them); the caller checks for gaps.
 */
export function reduceSession(view: SessionView, event: TurnEvent): SessionView {
  if (event.seq <= view.seq) return view;
  const next: SessionView = { ...view, seq: event.seq };
  switch (event.type) {
    case 'turn.started':
      next.live = {
        turnId: event.turnId,
        mode: event.mode,
        startedAt: event.at,
        step: 0,
        maxSteps: 0,
        provider: view.live?.provider ?? null,
        model: view.live?.model ?? null,
        scripted: false,
      };
      next.lastEnd = null;
      if (event.kind === 'message') {
        next.items = withItem(view, {
          kind: 'user',
          key: `u${event.seq}`,
          messageId: event.messageId,
          turnId: event.turnId,
          text: event.text,
          at: event.at,
          interjection: false,
        });
      }
      return next;
    case 'turn.classified':
      return next;
    case 'model.resolved':
      next.contextWindow = event.contextWindow;
      if (view.live) {
        next.live = { ...view.live, provider: event.provider, model: event.model, scripted: event.scripted };
      }
      return next;
    case 'step.started':
      if (view.live) next.live = { ...view.live, step: event.step, maxSteps: event.maxSteps };
      next.items = withItem(view, {
        kind: 'step',
        key: `s${event.seq}`,
        messageId: event.messageId,
        turnId: event.turnId,
        step: event.step,
        reasoning: '',
        reasoningMs: null,
        text: '',
        calls: [],
        status: 'streaming',
        startedAt: event.at,
        durationMs: null,
        ...modelOf(view.live),
      });
      return next;
    case 'reasoning.delta':
      next.items = changeStep(view, event.messageId, (step) => ({
        ...step,
        reasoning: step.reasoning + event.text,
        reasoningMs: event.at - step.startedAt,
      }));
      return next;
    case 'text.delta':
      next.items = changeStep(view, event.messageId, (step) => ({ ...step, text: step.text + event.text }));
      return next;
    case 'text.reset':
      next.items = changeStep(view, event.messageId, (step) => ({ ...step, text: '', reasoning: '' }));
      return next;
    case 'call.requested':
      next.toolCount = view.toolCount + 1;
      next.items = changeStep(view, event.messageId, (step) => ({
        ...step,
        calls: [
          ...step.calls,
          {
            callId: event.callId,
            tool: event.tool,
            label: event.label,
            args: event.args,
            state: 'validating',
            output: '',
            outputCut: false,
            diffs: [],
            startedAt: event.at,
          },
        ],
      }));
      return next;
    case 'call.state':
      if (event.state === 'error') next.errorCount = view.errorCount + 1;
      next.items = changeCall(view, event.callId, (call) => ({
        ...call,
        state: event.state,
        ...(event.label === undefined ? {} : { label: event.label }),
        ...(event.by === undefined ? {} : { by: event.by }),
        ...(event.error === undefined ? {} : { error: event.error }),
        ...(event.result === undefined ? {} : { result: event.result }),
        ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
      }));
      return next;
    case 'call.output':
      next.items = changeCall(view, event.callId, (call) => ({
        ...call,
        ...appendTail(call.output, call.outputCut, event.text),
      }));
      return next;
    case 'diff':
      next.items = changeCall(view, event.callId, (call) => ({
        ...call,
        diffs: [...call.diffs, { diff: event.diff, reverted: false }],
      }));
      return next;
    case 'diff.reverted':
      next.items = changeCall(view, event.callId, (call) => ({
        ...call,
        diffs: call.diffs.map((entry) =>
          entry.diff.path === event.path ? { diff: entry.diff, reverted: true } : entry,
        ),
      }));
      return next;
    case 'approval.asked':
      next.approvals = [...view.approvals, event.approval];
      return next;
    case 'approval.replied':
      next.approvals = view.approvals.filter((approval) => approval.id !== event.approvalId);
      return next;
    case 'question.asked':
      next.questions = [
        ...view.questions,
        {
          questionId: event.questionId,
          callId: event.callId,
          question: event.question,
          options: event.options,
        },
      ];
      return next;
    case 'question.answered':
      next.questions = view.questions.filter((question) => question.questionId !== event.questionId);
      return next;
    case 'interjection':
      next.items = withItem(view, {
        kind: 'user',
        key: `u${event.seq}`,
        messageId: event.messageId,
        turnId: event.turnId,
        text: event.text,
        at: event.at,
        interjection: true,
      });
      return next;
    case 'nudge':
      next.items = withItem(view, {
        kind: 'notice',
        key: `n${event.seq}`,
        turnId: event.turnId,
        at: event.at,
        tone: 'info',
        text: event.text,
      });
      return next;
    case 'compaction':
      next.contextTokens = event.afterTokens;
      next.items = withItem(view, {
        kind: 'notice',
        key: `n${event.seq}`,
        turnId: event.turnId,
        at: event.at,
        tone: 'info',
        text: event.note,
      });
      return next;
    case 'todo.changed':
      next.todos = event.items;
      return next;
    case 'usage':
      next.contextTokens = event.inputTokens + event.outputTokens;
      next.tokensEstimated = event.estimated;
      next.totalTokens = view.totalTokens + event.inputTokens + event.outputTokens;
      return next;
    case 'retry':
      next.items = withItem(view, {
        kind: 'notice',
        key: `n${event.seq}`,
        turnId: event.turnId,
        at: event.at,
        tone: 'retry',
        text: event.reason,
        until: event.at + event.waitMs,
        ...(event.error === undefined ? {} : { error: event.error }),
      });
      return next;
    case 'step.finished':
      next.items = changeStep(view, event.messageId, (step) => ({
        ...step,
        status: event.kind,
        durationMs: event.durationMs,
      }));
      return next;
    case 'turn.finished':
      next.live = null;
      next.approvals = view.approvals.filter((approval) => approval.turnId !== event.turnId);
      next.questions = [];
      next.lastEnd = {
        reason: event.reason,
        durationMs: event.durationMs,
        ...(event.error === undefined ? {} : { error: event.error }),
      };
      if (event.reason === 'error') next.errorCount = view.errorCount + 1;
      next.items = [
        ...settleItems(view.items, event.turnId),
        {
          kind: 'end',
          key: `e${event.seq}`,
          turnId: event.turnId,
          at: event.at,
          reason: event.reason,
          steps: event.steps,
          durationMs: event.durationMs,
          ...(event.error === undefined ? {} : { error: event.error }),
        },
      ];
      return next;
  }
}
