import { expect, test } from 'vitest';
import type { PendingApproval } from './approval';
import type { FileDiff } from './diff';
import type { ApprovalId, CallId, MessageId, QuestionId, Sha256, TurnId, SessionId } from './ids';
import { reduceSession } from './reduce-session';
import { CALL_OUTPUT_TAIL_CHARS, emptySessionView, type SessionView, type StepView } from './session-view';
import { mergeDeltas, reduceEvents, windowItems } from './session-batch';
import type { TurnEvent, TurnEventPayload } from './turn-event';

const session = 'session-1' as SessionId;
const turn = 'turn-1' as TurnId;
const message = 'message-1' as MessageId;
const call = 'call-1' as CallId;

/** Numbers payloads from `from` on, 10 ms apart. */
function events(payloads: TurnEventPayload[], from = 1, turnId = turn): TurnEvent[] {
  return payloads.map((payload, i) => ({
    ...payload,
    seq: from + i,
    at: (from + i) * 10,
    sessionId: session,
    turnId,
  }));
}

const started: TurnEventPayload = {
  type: 'turn.started',
  messageId: 'user-1' as MessageId,
  text: 'Fix it',
  mode: 'agent',
  agent: 'agent',
  kind: 'message',
};
const stepStarted: TurnEventPayload = { type: 'step.started', step: 1, maxSteps: 100, messageId: message };
const requested: TurnEventPayload = {
  type: 'call.requested',
  callId: call,
  messageId: message,
  tool: 'edit_file',
  args: { path: 'a.ts' },
  label: 'Edit `a.ts`',
};
const diff: FileDiff = {
  path: 'a.ts',
  change: 'modify',
  additions: 1,
  deletions: 1,
  hunks: [],
  unified: '',
  truncated: false,
  beforeHash: 'a'.repeat(64) as Sha256,
  afterHash: 'b'.repeat(64) as Sha256,
};
const approval: PendingApproval = {
  id: 'approval-1' as ApprovalId,
  sessionId: session,
  turnId: turn,
  callId: call,
  tool: 'edit_file',
  title: 'Edit a file?',
  asker: 'Agent, step 1',
  subject: { kind: 'write', paths: ['a.ts'], diffs: [diff] },
  warnings: [],
  danger: false,
  reason: 'No rule',
  proposedRule: null,
  digest: 'd',
  askedAt: 1,
  expiresAt: 2,
};

const play = (...payloads: TurnEventPayload[]): SessionView =>
  events(payloads).reduce(reduceSession, emptySessionView());
const stepOf = (view: SessionView): StepView => view.items.find((item) => item.kind === 'step') as StepView;

test('a turn opens with the user message and is live until it finishes', () => {
  const view = play(started);
  expect(view.items).toMatchObject([{ kind: 'user', key: 'u1', text: 'Fix it', interjection: false }]);
  expect(view.live).toMatchObject({ turnId: turn, mode: 'agent', step: 0 });
});

test('a retry or a continuation adds no user message', () => {
  expect(play({ ...started, kind: 'continue' }).items).toEqual([]);
});

test('the classification changes nothing that is shown but moves seq on', () => {
  const view = play({
    type: 'turn.classified',
    by: 'words',
    goalKind: 'code_change',
    isActionable: true,
    editScope: 'single_file',
    complexity: 'simple',
    needsShell: false,
    chatOnly: false,
    isFollowUp: false,
    expectsMultiStep: false,
    needsFlagship: false,
    confidence: 1,
  });
  expect(view).toEqual({ ...emptySessionView(), seq: 1 });
});

test('the resolved model is named by the live turn and by its later steps', () => {
  const resolved: TurnEventPayload = {
    type: 'model.resolved',
    provider: 'ollama',
    model: 'qwen3-coder',
    contextWindow: 32_000,
    reason: 'chosen',
    scripted: true,
  };
  const view = play(started, resolved, stepStarted);
  expect(view.contextWindow).toBe(32_000);
  expect(view.live).toMatchObject({
    provider: 'ollama',
    model: 'qwen3-coder',
    scripted: true,
    step: 1,
    maxSteps: 100,
  });
  expect(stepOf(view)).toMatchObject({ status: 'streaming', model: 'ollama/qwen3-coder' });
});

test('text and reasoning grow by their deltas; a reset voids both', () => {
  const deltas: TurnEventPayload[] = [
    { type: 'reasoning.delta', messageId: message, text: 'Hm' },
    { type: 'text.delta', messageId: message, text: 'Hel' },
    { type: 'text.delta', messageId: message, text: 'lo' },
  ];
  const view = play(started, stepStarted, ...deltas);
  expect(stepOf(view)).toMatchObject({ reasoning: 'Hm', reasoningMs: 10, text: 'Hello' });
  const reset = play(started, stepStarted, ...deltas, { type: 'text.reset', messageId: message });
  expect(stepOf(reset)).toMatchObject({ reasoning: '', text: '' });
});

test('a call goes from request to result with label, output, diff and revert', () => {
  const view = play(
    started,
    stepStarted,
    requested,
    { type: 'call.state', callId: call, tool: 'edit_file', state: 'running' },
    { type: 'call.output', callId: call, stream: 'stdout', text: 'out' },
    { type: 'diff', callId: call, diff },
    {
      type: 'call.state',
      callId: call,
      tool: 'edit_file',
      state: 'success',
      label: 'Edited `a.ts` +1 −1',
      by: 'grant',
      result: { text: 'done' },
      durationMs: 7,
    },
    { type: 'diff.reverted', callId: call, path: 'a.ts', diff },
  );
  expect(view.toolCount).toBe(1);
  expect(stepOf(view).calls).toEqual([
    {
      callId: call,
      tool: 'edit_file',
      label: 'Edited `a.ts` +1 −1',
      args: { path: 'a.ts' },
      state: 'success',
      by: 'grant',
      result: { text: 'done' },
      durationMs: 7,
      output: 'out',
      outputCut: false,
      diffs: [{ diff, reverted: true }],
      startedAt: 40,
    },
  ]);
});

test('a failed call counts as an error and keeps its cause', () => {
  const error = { code: 'stale' as const, message: 'Changed', audience: 'model' as const };
  const view = play(started, stepStarted, requested, {
    type: 'call.state',
    callId: call,
    tool: 'edit_file',
    state: 'error',
    error,
  });
  expect(view.errorCount).toBe(1);
  expect(stepOf(view).calls).toMatchObject([{ state: 'error', error }]);
});

test('only the tail of a long output is kept', () => {
  const view = play(started, stepStarted, requested, {
    type: 'call.output',
    callId: call,
    stream: 'stdout',
    text: `start${'x'.repeat(CALL_OUTPUT_TAIL_CHARS)}`,
  });
  expect(stepOf(view).calls[0]).toMatchObject({
    output: 'x'.repeat(CALL_OUTPUT_TAIL_CHARS),
    outputCut: true,
  });
});

test('approvals and questions are pending until they are answered', () => {
  const question: TurnEventPayload = {
    type: 'question.asked',
    questionId: 'question-1' as QuestionId,
    callId: call,
    question: 'Which?',
    options: ['a', 'b'],
  };
  const asked = play({ type: 'approval.asked', approval }, question);
  expect(asked.approvals).toEqual([approval]);
  expect(asked.questions).toMatchObject([{ question: 'Which?', options: ['a', 'b'] }]);
  const answered = reduceEvents(
    asked,
    events(
      [
        { type: 'approval.replied', approvalId: approval.id, callId: call, answer: 'deny', by: 'user' },
        {
          type: 'question.answered',
          questionId: 'question-1' as QuestionId,
          callId: call,
          answer: 'a',
        },
      ],
      3,
    ),
  );
  expect(answered).toMatchObject({ approvals: [], questions: [], seq: 4 });
});

test('interjections, nudges, compactions and retries are items of their own', () => {
  const view = play(
    { type: 'interjection', messageId: 'user-2' as MessageId, text: 'Also tests' },
    { type: 'nudge', kind: 'repeat', text: 'Same call 8 times' },
    { type: 'compaction', tier: 'in_turn', beforeTokens: 92_000, afterTokens: 18_000, note: 'Summarised' },
    { type: 'retry', attempt: 2, maxAttempts: 5, waitMs: 8000, reason: 'Rate limit' },
  );
  expect(view.items).toMatchObject([
    { kind: 'user', text: 'Also tests', interjection: true },
    { kind: 'notice', tone: 'info', text: 'Same call 8 times' },
    { kind: 'notice', tone: 'info', text: 'Summarised' },
    { kind: 'notice', tone: 'retry', text: 'Rate limit', until: 8040 },
  ]);
  expect(view.contextTokens).toBe(18_000);
});

test('todos are replaced and usage is summed', () => {
  const todos = [{ id: '1', content: 'Look', status: 'in_progress' as const }];
  const view = play(
    { type: 'todo.changed', items: todos },
    { type: 'usage', inputTokens: 100, outputTokens: 20, estimated: false },
    { type: 'usage', inputTokens: 150, outputTokens: 30, estimated: true },
  );
  expect(view).toMatchObject({ todos, contextTokens: 180, totalTokens: 300, tokensEstimated: true });
});

test('a finished step keeps its kind and time', () => {
  const view = play(started, stepStarted, {
    type: 'step.finished',
    step: 1,
    messageId: message,
    durationMs: 1800,
    kind: 'answer',
  });
  expect(stepOf(view)).toMatchObject({ status: 'answer', durationMs: 1800 });
});

test('nothing stays open after its turn: steps, calls, approvals and questions are settled', () => {
  const view = play(
    started,
    stepStarted,
    requested,
    { type: 'approval.asked', approval },
    { type: 'turn.finished', reason: 'stopped', steps: 1, text: '', durationMs: 900 },
  );
  expect(view).toMatchObject({ live: null, approvals: [], questions: [], lastEnd: { reason: 'stopped' } });
  expect(stepOf(view)).toMatchObject({ status: 'aborted', calls: [{ state: 'cancelled' }] });
  expect(view.items.at(-1)).toMatchObject({ kind: 'end', reason: 'stopped', steps: 1, durationMs: 900 });
});

test('a turn that fails counts as an error and says why', () => {
  const error = { code: 'provider_auth' as const, message: 'Key refused', audience: 'user' as const };
  const view = play(started, {
    type: 'turn.finished',
    reason: 'error',
    steps: 0,
    text: '',
    error,
    durationMs: 5,
  });
  expect(view).toMatchObject({ errorCount: 1, lastEnd: { reason: 'error', error } });
});

test('events that were seen already change nothing', () => {
  const all = events([started, stepStarted, { type: 'text.delta', messageId: message, text: 'a' }]);
  const view = reduceEvents(emptySessionView(), all);
  expect(all.reduce(reduceSession, view)).toBe(view);
  expect(reduceEvents(view, all)).toBe(view);
});

test('a change touches its own item only: all others keep their identity', () => {
  const view = play(started, stepStarted, { type: 'text.delta', messageId: message, text: 'a' });
  const next = reduceEvents(view, events([{ type: 'text.delta', messageId: message, text: 'b' }], 4));
  expect(next.items[0]).toBe(view.items[0]);
  expect(next.items[1]).not.toBe(view.items[1]);
});

test('a merged batch gives the same view as its events one by one', () => {
  const all = events([
    started,
    stepStarted,
    { type: 'reasoning.delta', messageId: message, text: 'a' },
    { type: 'reasoning.delta', messageId: message, text: 'b' },
    { type: 'text.delta', messageId: message, text: 'c' },
    { type: 'text.delta', messageId: message, text: 'd' },
    { type: 'text.delta', messageId: 'message-2' as MessageId, text: 'e' },
    requested,
    { type: 'text.delta', messageId: message, text: 'f' },
  ]);
  expect(mergeDeltas(all)).toHaveLength(7);
  expect(reduceEvents(emptySessionView(), all)).toEqual(all.reduce(reduceSession, emptySessionView()));
});

test('a window keeps whole turns and counts what it cut', () => {
  const many = Array.from({ length: 50 }, () => [started, stepStarted]).flat();
  const view = play(...many);
  const cut = windowItems(view, 21);
  expect(cut.items).toHaveLength(22);
  expect(cut.olderItems).toBe(78);
  expect(cut.items[0]).toMatchObject({ kind: 'user' });
  expect(windowItems(view, 200)).toBe(view);
});

test('a window cuts inside a turn that is longer than twice its size', () => {
  const view = play(started, ...Array.from({ length: 99 }, () => stepStarted));
  expect(windowItems(view, 20)).toMatchObject({ olderItems: 80 });
});
