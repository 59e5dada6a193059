import type { MessageId } from '../../../shared/model/ids';
import { TEXT_CALL_CORRECTIONS } from '../limits';
import type { ReplyCall, ResolvedModel } from '../model/port';
import type { CallOutcome } from '../tool/types';
import { runCalls } from './dispatch';
import { modelStep, type StepReply } from './model-step';
import { finalSummary } from './summary';
import { holdsTextCall, TEXT_CALL_CORRECTION } from './text-calls';
import type { LoopDeps, Turn, TurnEnd, TurnRecord } from './turn-types';

/** Remembers what was last announced, so that `model.resolved` comes once per change and not once per step. */
interface LoopState {
  announced: string;
  corrections: number;
}

async function* announceModel(deps: LoopDeps, state: LoopState): AsyncGenerator<TurnRecord, ResolvedModel> {
  const model = await deps.resolveModel();
  const name = `${model.provider.id}/${model.model} ${model.contextWindow}`;
  if (state.announced !== name) {
    state.announced = name;
    const { provider, contextWindow, reason } = model;
    yield {
      payloads: [
        {
          type: 'model.resolved',
          provider: provider.name,
          model: model.model,
          contextWindow,
          reason,
          scripted: provider.scripted,
        },
      ],
    };
  }
  return model;
}

/** Messages the user sent while the turn ran reach the model before its next request (H11). */
async function* drainInterjections(deps: LoopDeps): AsyncGenerator<TurnRecord, void> {
  for (const text of deps.takeInterjections()) {
    const added = deps.history.append({ role: 'user', content: text });
    yield { payloads: [{ type: 'interjection', messageId: added.id as MessageId, text }], messages: [added] };
  }
}

/** The account a successful attempt_completion gave, or null. */
function completion(calls: readonly ReplyCall[], outcomes: readonly CallOutcome[]): string | null {
  const done = outcomes.find(
    (outcome) => outcome.tool === 'attempt_completion' && outcome.state === 'success',
  );
  const call = calls.find((candidate) => candidate.id === done?.callId);
  if (!call?.args.ok) return null;
  const result = (call.args.value as { result?: unknown } | null)?.result;
  return typeof result === 'string' ? result : '';
}

const stepKind = (calls: readonly ReplyCall[]): 'calls' | 'housekeeping' =>
  calls.every((call) => call.name === 'todo') ? 'housekeeping' : 'calls';

/** Runs the calls of a reply and closes the step. Returns the final text when the agent declared itself done. */
async function* runStepCalls(
  reply: StepReply,
  turn: Turn,
  step: number,
  startedAt: number,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, string | null> {
  const { messageId } = reply;
  const outcomes = yield* runCalls(reply.calls, turn, step, deps);
  const done = completion(reply.calls, outcomes);
  const finished = { type: 'step.finished', step, messageId, durationMs: deps.now() - startedAt } as const;
  if (done === null) {
    yield { payloads: [{ ...finished, kind: stepKind(reply.calls) }] };
    return null;
  }
  const shown = reply.text.trim() === '' ? done : `\n\n${done}`;
  if (!reply.text.includes(done)) yield { payloads: [{ type: 'text.delta', messageId, text: shown }] };
  yield { payloads: [{ ...finished, kind: 'answer' }] };
  return done === '' ? reply.text : done;
}

/** A reply without calls ends the turn, unless the user spoke meanwhile or the model wrote a call as plain text. */
function* closeAnswer(
  reply: StepReply,
  step: number,
  startedAt: number,
  deps: LoopDeps,
  state: LoopState,
): Generator<TurnRecord, boolean> {
  const { messageId } = reply;
  yield {
    payloads: [
      { type: 'step.finished', step, messageId, durationMs: deps.now() - startedAt, kind: 'answer' },
    ],
  };
  if (holdsTextCall(reply.text) && state.corrections < TEXT_CALL_CORRECTIONS) {
    state.corrections += 1;
    yield {
      payloads: [
        {
          type: 'nudge',
          kind: 'text_call',
          text: 'The model wrote a tool call as plain text; it was asked to call the tool.',
        },
      ],
      messages: [deps.history.append({ role: 'user', content: TEXT_CALL_CORRECTION })],
    };
    return false;
  }
  return !deps.hasInterjections();
}

/**
 * One turn (H1): announce the model, drain what the user said, ask the model, run its calls, until it answers without
 * calls, declares completion, or the cap is reached. Yields records in the order in which they must be stored.
 *
 * @throws whatever the provider throws, and an AbortError when the user stops the turn; the caller closes the turn
 */
export async function* runTurn(turn: Turn, deps: LoopDeps): AsyncGenerator<TurnRecord, TurnEnd> {
  deps.compaction.beginTurn();
  const state: LoopState = { announced: '', corrections: 0 };
  for (let step = 1; step <= turn.maxSteps; step += 1) {
    deps.signal.throwIfAborted();
    const startedAt = deps.now();
    const model = yield* announceModel(deps, state);
    yield* drainInterjections(deps);
    const messageId = deps.newId() as MessageId;
    yield { payloads: [{ type: 'step.started', step, maxSteps: turn.maxSteps, messageId }] };
    const reply = yield* modelStep(model, messageId, step, deps);
    if (reply.calls.length === 0) {
      if (yield* closeAnswer(reply, step, startedAt, deps, state))
        return { reason: 'done', steps: step, text: reply.text };
      continue;
    }
    const done = yield* runStepCalls(reply, turn, step, startedAt, deps);
    deps.signal.throwIfAborted();
    if (done !== null && !deps.hasInterjections()) return { reason: 'done', steps: step, text: done };
  }
  return yield* endAtLimit(turn, deps, state);
}

async function* endAtLimit(
  turn: Turn,
  deps: LoopDeps,
  state: LoopState,
): AsyncGenerator<TurnRecord, TurnEnd> {
  const model = yield* announceModel(deps, state);
  const messageId = deps.newId() as MessageId;
  const step = turn.maxSteps;
  yield { payloads: [{ type: 'step.started', step, maxSteps: step, messageId }] };
  const startedAt = deps.now();
  const text = yield* finalSummary(`The limit of ${step} steps is reached.`, model, messageId, deps);
  yield {
    payloads: [
      { type: 'step.finished', step, messageId, durationMs: deps.now() - startedAt, kind: 'answer' },
    ],
  };
  return { reason: 'step_limit', steps: step, text };
}
