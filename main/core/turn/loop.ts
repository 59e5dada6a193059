import { AppError } from '../../../shared/error';
import type { MessageId } from '../../../shared/model/ids';
import type { TurnEndReason } from '../../../shared/model/turn-event';
import type { ReplyCall, ResolvedModel } from '../model/port';
import type { CallOutcome } from '../tool/types';
import { runCalls } from './dispatch';
import { TurnHooks } from './hooks';
import { saidBetween } from './interjections';
import { modelStep, type StepReply } from './model-step';
import { TurnEvidence } from './receipt/evidence';
import { finalSummary } from './summary';
import type { LoopDeps, Turn, TurnEnd, TurnRecord } from './turn-types';

/** What a turn carries from step to step. */
interface Course {
  turn: Turn;
  deps: LoopDeps;
  hooks: TurnHooks;
  evidence: TurnEvidence;
  /** What was last announced, so that `model.resolved` comes once per change and not once per step. */
  announced: string;
  /** Whether the model of the step at hand takes images. */
  sees: boolean | null;
}

async function* announceModel(course: Course): AsyncGenerator<TurnRecord, ResolvedModel> {
  const model = await course.deps.resolveModel(course.hooks.wish());
  course.sees = model.sees ?? null;
  const name = `${model.provider.id}/${model.model} ${model.contextWindow}`;
  if (course.announced !== name) {
    course.announced = name;
    const { provider, contextWindow, reason } = model;
    const { scripted } = provider;
    yield {
      payloads: [
        {
          ...{ type: 'model.resolved', provider: provider.name, model: model.model },
          ...{ contextWindow, reason, scripted },
        },
      ],
    };
  }
  return model;
}

/** Messages the user sent while the turn ran reach the model before its next request (H11). */
async function* drainInterjections({ deps, hooks }: Course): AsyncGenerator<TurnRecord, void> {
  for (const said of deps.takeInterjections()) {
    const { message, event } = saidBetween(said);
    const added = deps.history.append(message);
    hooks.heard(message.content);
    yield { payloads: [event(added.id)], messages: [added] };
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
  step: number,
  startedAt: number,
  { turn, deps, hooks, sees }: Course,
): AsyncGenerator<TurnRecord, string | null> {
  const { messageId } = reply;
  const outcomes = yield* runCalls(reply.calls, turn, step, deps, hooks.refusal, sees);
  const done = completion(reply.calls, outcomes);
  const finished = { type: 'step.finished', step, messageId, durationMs: deps.now() - startedAt } as const;
  if (done === null) {
    yield { payloads: [{ ...finished, kind: stepKind(reply.calls) }] };
    yield* hooks.afterCalls(step, reply, outcomes);
    return null;
  }
  const shown = reply.text.trim() === '' ? done : `\n\n${done}`;
  if (!reply.text.includes(done)) yield { payloads: [{ type: 'text.delta', messageId, text: shown }] };
  yield { payloads: [{ ...finished, kind: 'answer' }] };
  yield* hooks.afterCalls(step, reply, outcomes);
  return done === '' ? reply.text : done;
}

/** A reply without calls ends the turn, unless a hook sends it back or the user spoke meanwhile. */
function* closeAnswer(
  reply: StepReply,
  step: number,
  startedAt: number,
  { deps, hooks }: Course,
): Generator<TurnRecord, boolean> {
  const { messageId } = reply;
  const durationMs = deps.now() - startedAt;
  yield { payloads: [{ type: 'step.finished', step, messageId, durationMs, kind: 'answer' }] };
  const sentBack = yield* hooks.afterAnswer(step, reply);
  return !sentBack && !deps.hasInterjections();
}

/**
 * One turn (H1): say what it is about, announce the model, drain what the user said, ask the model, run its calls, until it
 * answers without calls, declares completion, a guard ends it, or the cap is reached. Yields records in the order in which
 * they must be stored.
 *
 * @param evidence what the turn's stored events show; fed by whoever stores them
 * @throws whatever the provider throws, and an AbortError when the user stops the turn; the caller closes the turn
 */
export async function* runTurn(
  turn: Turn,
  deps: LoopDeps,
  evidence: TurnEvidence = new TurnEvidence(),
): AsyncGenerator<TurnRecord, TurnEnd> {
  deps.compaction.beginTurn();
  const { maxSteps } = turn;
  const hooks = new TurnHooks(turn, deps, evidence);
  const course: Course = { turn, deps, hooks, evidence, announced: '', sees: null };
  yield* hooks.begin();
  for (let step = 1; step <= maxSteps; step += 1) {
    deps.signal.throwIfAborted();
    const startedAt = deps.now();
    const model = yield* announceModel(course);
    yield* drainInterjections(course);
    yield* hooks.before(step);
    const messageId = deps.newId() as MessageId;
    yield { payloads: [{ type: 'step.started', step, maxSteps, messageId }] };
    let reply: StepReply;
    try {
      reply = yield* modelStep(model, messageId, step, deps, hooks.toolChoice(step));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'budget_exceeded') throw error;
      return yield* endEarly('budget', error.message, step, course);
    }
    const done = yield* closeStep(reply, step, startedAt, course);
    deps.signal.throwIfAborted();
    if (done !== null) return { reason: 'done', steps: step, text: done };
    if (hooks.stop !== null) return yield* endEarly('repeated_calls', hooks.stop, step, course);
  }
  return yield* endEarly('step_limit', `The limit of ${maxSteps} steps is reached.`, maxSteps, course);
}

/** Runs what a reply asks for. @returns the turn's final text, or null when it goes on */
async function* closeStep(
  reply: StepReply,
  step: number,
  startedAt: number,
  course: Course,
): AsyncGenerator<TurnRecord, string | null> {
  if (reply.calls.length === 0) {
    return (yield* closeAnswer(reply, step, startedAt, course)) ? reply.text : null;
  }
  const done = yield* runStepCalls(reply, step, startedAt, course);
  return course.deps.hasInterjections() ? null : done;
}

/** The end that no answer of the model brought: its last words, then the reason (H9). */
async function* endEarly(
  reason: TurnEndReason,
  why: string,
  step: number,
  course: Course,
): AsyncGenerator<TurnRecord, TurnEnd> {
  const { turn, deps, evidence } = course;
  const model = yield* announceModel(course);
  const messageId = deps.newId() as MessageId;
  yield { payloads: [{ type: 'step.started', step, maxSteps: turn.maxSteps, messageId }] };
  const startedAt = deps.now();
  const text = yield* finalSummary(why, model, messageId, evidence, deps);
  const durationMs = deps.now() - startedAt;
  yield { payloads: [{ type: 'step.finished', step, messageId, durationMs, kind: 'answer' }] };
  return { reason, steps: step, text, why };
}
