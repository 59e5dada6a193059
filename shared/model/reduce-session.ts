import {
  appendTail,
  changeCall,
  changeStep,
  modelOf,
  replaceLast,
  seqOfItem,
  settleItems,
  withItem,
} from './session-items';
import type { ItemView, SessionView } from './session-view';
import type { TurnEvent } from './turn-event';

type Reducer<K extends TurnEvent['type']> = (
  /** The new view, already at the event's seq; changed in place. */
  next: SessionView,
  view: SessionView,
  event: Extract<TurnEvent, { type: K }>,
) => void;

const reducers: { readonly [K in TurnEvent['type']]: Reducer<K> } = {
  'turn.started': (next, view, event) => {
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
        ...(event.images === undefined ? {} : { images: event.images }),
      });
    }
  },
  'turn.classified': () => undefined,
  'model.resolved': (next, view, event) => {
    next.contextWindow = event.contextWindow;
    if (view.live) {
      const { provider, model, reason, scripted } = event;
      next.live = { ...view.live, provider, model, reason, scripted };
    }
  },
  'step.started': (next, view, event) => {
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
  },
  'reasoning.delta': (next, view, event) => {
    next.items = changeStep(view, event.messageId, (step) => ({
      ...step,
      reasoning: step.reasoning + event.text,
      reasoningMs: event.at - step.startedAt,
    }));
  },
  'text.delta': (next, view, event) => {
    next.items = changeStep(view, event.messageId, (step) => ({ ...step, text: step.text + event.text }));
  },
  'text.reset': (next, view, event) => {
    next.items = changeStep(view, event.messageId, (step) => ({ ...step, text: '', reasoning: '' }));
  },
  'call.requested': (next, view, event) => {
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
  },
  'call.state': (next, view, event) => {
    if (event.state === 'error') next.errorCount = view.errorCount + 1;
    next.items = changeCall(view, event.callId, (call) => ({
      ...call,
      state: event.state,
      // Waiting for an answer is no part of what it takes.
      ...(event.state === 'running' ? { startedAt: event.at } : {}),
      ...(event.label === undefined ? {} : { label: event.label }),
      ...(event.by === undefined ? {} : { by: event.by }),
      ...(event.error === undefined ? {} : { error: event.error }),
      ...(event.result === undefined ? {} : { result: event.result }),
      ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
    }));
  },
  'call.output': (next, view, event) => {
    next.items = changeCall(view, event.callId, (call) => ({
      ...call,
      ...appendTail(call.output, call.outputCut, event.text),
    }));
  },
  diff: (next, view, event) => {
    next.items = changeCall(view, event.callId, (call) => ({
      ...call,
      diffs: [...call.diffs, { diff: event.diff, reverted: false }],
    }));
  },
  'diff.reverted': (next, view, event) => {
    next.items = changeCall(view, event.callId, (call) => ({
      ...call,
      diffs: call.diffs.map((entry) =>
        entry.diff.path === event.path ? { diff: entry.diff, reverted: true } : entry,
      ),
    }));
  },
  'files.changed': (next, view, { callId, setId, files, more, notCovered }) => {
    next.items = changeCall(view, callId, (call) => ({
      ...call,
      changed: { setId, files, more, notCovered },
    }));
  },
  'files.undone': (next, view, { seq, turnId, at, undo }) => {
    next.items = withItem(view, { kind: 'undo', key: `c${seq}`, turnId, at, undo });
  },
  'approval.asked': (next, view, event) => {
    next.approvals = [...view.approvals, event.approval];
  },
  'approval.replied': (next, view, event) => {
    next.approvals = view.approvals.filter((approval) => approval.id !== event.approvalId);
  },
  'question.asked': (next, view, event) => {
    next.questions = [
      ...view.questions,
      {
        questionId: event.questionId,
        callId: event.callId,
        question: event.question,
        options: event.options,
      },
    ];
  },
  'question.answered': (next, view, event) => {
    next.questions = view.questions.filter((question) => question.questionId !== event.questionId);
  },
  interjection: (next, view, event) => {
    next.items = withItem(view, {
      kind: 'user',
      key: `u${event.seq}`,
      messageId: event.messageId,
      turnId: event.turnId,
      text: event.text,
      at: event.at,
      interjection: true,
      ...(event.images === undefined ? {} : { images: event.images }),
    });
  },
  'images.read': (next, view, { messageId, images }) => {
    images.forEach(({ callId, ...facts }, index) => {
      next.items = changeCall(next, callId, (call) => ({
        ...call,
        images: [...(call.images ?? []), { ...facts, messageId, index }],
      }));
    });
  },
  'aside.asked': (next, view, { seq, turnId, at, asideId, question }) => {
    next.items = withItem(view, {
      kind: 'aside',
      key: `s${seq}`,
      turnId,
      asideId,
      at,
      question,
      answer: null,
    });
  },
  'aside.answered': (next, view, { asideId, text, stopped, error }) => {
    const answer = { text, stopped, ...(error === undefined ? {} : { error }) };
    next.items = replaceLast(
      view.items,
      (item) => item.kind === 'aside' && item.asideId === asideId,
      (item) => ({ ...item, answer }) as ItemView,
    );
  },
  nudge: (next, view, event) => {
    if (event.kind === 'compaction_failed') next.compacting = false;
    next.items = withItem(view, {
      kind: 'notice',
      key: `n${event.seq}`,
      turnId: event.turnId,
      at: event.at,
      tone: event.tone ?? 'info',
      text: event.text,
    });
  },
  compaction: (next, view, event) => {
    const { compactionId: id, beforeTokens, afterTokens, usage } = event;
    next.contextTokens = afterTokens;
    next.compacting = false;
    if (usage) next.totalTokens = view.totalTokens + usage.inputTokens + usage.outputTokens;
    next.items = withItem(view, {
      kind: 'notice',
      key: `n${event.seq}`,
      turnId: event.turnId,
      at: event.at,
      tone: 'info',
      text: event.note,
      ...(id === undefined ? {} : { compaction: { id, beforeTokens, afterTokens, undone: false } }),
    });
  },
  'compaction.started': (next) => {
    next.compacting = true;
  },
  'compaction.undone': (next, view, event) => {
    next.contextTokens = event.contextTokens;
    next.items = view.items.map((item) =>
      item.kind === 'notice' && item.compaction?.id === event.compactionId
        ? { ...item, compaction: { ...item.compaction, undone: true } }
        : item,
    );
  },
  'subagent.started': (next, view, { callId, childId, agent, title, background }) => {
    next.items = changeCall(view, callId, (call) => ({
      ...call,
      child: { sessionId: childId, agent, title, background },
    }));
  },
  'plan.changed': (next, view, { plan }) => {
    const isKnown = view.plans.some(({ planId }) => planId === plan.planId);
    next.plans = isKnown
      ? view.plans.map((each) => (each.planId === plan.planId ? plan : each))
      : [...view.plans, plan];
  },
  'todo.changed': (next, view, event) => {
    next.todos = event.items;
  },
  usage: (next, view, event) => {
    if (event.purpose === undefined || event.purpose === 'step') {
      next.contextTokens = event.inputTokens + event.outputTokens;
      next.tokensEstimated = event.estimated;
    }
    if (event.costMicros !== undefined) next.costMicros = (view.costMicros ?? 0) + event.costMicros;
    next.totalTokens = view.totalTokens + event.inputTokens + event.outputTokens;
  },
  retry: (next, view, event) => {
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
  },
  'step.finished': (next, view, event) => {
    next.items = changeStep(view, event.messageId, (step) => ({
      ...step,
      status: event.kind,
      durationMs: event.durationMs,
    }));
  },
  'turn.finished': (next, view, event) => {
    next.live = null;
    next.compacting = false;
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
        ...(event.why === undefined ? {} : { why: event.why }),
        ...(event.receipt === undefined ? {} : { receipt: event.receipt }),
      },
    ];
  },
  'session.rewound': (next, view, event) => {
    next.items = view.items.filter((item) => seqOfItem(item) < event.toSeq);
    next.olderItems = Math.max(0, event.items - next.items.length);
    next.todos = event.todos;
    next.plans = event.plans;
    next.live = null;
    next.approvals = [];
    next.questions = [];
    next.contextTokens = null;
    next.lastEnd = null;
  },
  'session.imported': (next, view, event) => {
    next.items = withItem(view, {
      kind: 'notice',
      key: `n${event.seq}`,
      turnId: event.turnId,
      at: event.at,
      tone: event.skipped > 0 ? 'warn' : 'info',
      text: event.text,
    });
  },
};

/**
 * Adds one event to a view. Pure and shared by main and renderer, so both always show the same thing. Events at or
 * below `view.seq` are ignored (a reconnect may repeat them); the caller checks for gaps.
 */
export function reduceSession(view: SessionView, event: TurnEvent): SessionView {
  if (event.seq <= view.seq) return view;
  const next: SessionView = { ...view, seq: event.seq };
  const reduce = reducers[event.type] as Reducer<TurnEvent['type']>;
  reduce(next, view, event);
  return next;
}
