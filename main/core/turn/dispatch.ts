import type { CallId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { CALLS_PER_REPLY, PARALLEL_READS } from '../limits';
import type { ReplyCall } from '../model/port';
import type { CallEnvironment, CallOutcome } from '../tool/types';
import { RecordQueue } from './record-queue';
import type { LoopDeps, Turn, TurnRecord } from './turn-types';

const FINAL = new Set(['success', 'error', 'denied', 'cancelled']);

/**
 * Runs one call; its final event and the tool message that answers it become one record. A read has no effect that a
 * journal would have to come before, so its records may be stored together with what follows.
 */
async function runOne(
  call: ReplyCall,
  turn: Turn,
  step: number,
  deps: LoopDeps,
  queue: RecordQueue,
): Promise<CallOutcome> {
  const last: TurnEventPayload[] = [];
  const deferrable = deps.runner.effectOf(call.name) === 'read';
  const environment: CallEnvironment = {
    sessionId: turn.sessionId,
    turnId: turn.turnId,
    step,
    asker: `${turn.agent}, step ${step}`,
    mode: deps.mode(),
    signal: deps.signal,
    ledger: deps.ledger,
    todos: deps.todos,
    emit: (payload) => {
      if (last.length > 0 || (payload.type === 'call.state' && FINAL.has(payload.state))) {
        last.push(payload);
        return Promise.resolve();
      }
      return queue.push({ payloads: [payload], deferrable: deferrable && payload.type === 'call.state' });
    },
  };
  const outcome = await deps.runner.run(call, environment);
  await queue.push({ payloads: last, messages: [answer(call, outcome.modelText, deps)], deferrable });
  return outcome;
}

const answer = (call: ReplyCall, content: string, deps: LoopDeps) =>
  deps.history.append({ role: 'tool', callId: call.id, name: call.name, content });

/** Ends a call that never ran, with the reason for the model. */
async function skip(
  call: ReplyCall,
  state: 'error' | 'cancelled',
  why: string,
  deps: LoopDeps,
  queue: RecordQueue,
): Promise<CallOutcome> {
  const error = {
    code: state === 'error' ? ('bad_argument' as const) : ('cancelled' as const),
    message: why,
    audience: 'model' as const,
  };
  await queue.push({
    payloads: [{ type: 'call.state', callId: call.id as CallId, tool: call.name, state, error }],
    messages: [answer(call, why, deps)],
  });
  return { callId: call.id, tool: call.name, state, modelText: why, error, diffs: [] };
}

async function runReads(calls: readonly ReplyCall[], run: (call: ReplyCall) => Promise<void>): Promise<void> {
  const open = [...calls];
  const lanes = Array.from({ length: Math.min(PARALLEL_READS, open.length) }, async () => {
    for (let call = open.shift(); call; call = open.shift()) await run(call);
  });
  await Promise.all(lanes);
}

async function runAll(
  calls: readonly ReplyCall[],
  turn: Turn,
  step: number,
  deps: LoopDeps,
  queue: RecordQueue,
): Promise<CallOutcome[]> {
  const outcomes = new Map<string, CallOutcome>();
  const run = async (call: ReplyCall): Promise<void> => {
    const outcome = deps.signal.aborted
      ? await skip(call, 'cancelled', 'Not run: the user stopped the turn.', deps, queue)
      : await runOne(call, turn, step, deps, queue);
    outcomes.set(call.id, outcome);
  };
  const within = calls.slice(0, CALLS_PER_REPLY);
  await runReads(
    within.filter((call) => deps.runner.effectOf(call.name) === 'read'),
    run,
  );
  let refused = false;
  for (const call of within.filter((candidate) => deps.runner.effectOf(candidate.name) !== 'read')) {
    if (refused) {
      const why = 'Skipped: the user refused an earlier call of the same reply.';
      outcomes.set(call.id, await skip(call, 'cancelled', why, deps, queue));
      continue;
    }
    await run(call);
    const outcome = outcomes.get(call.id);
    refused = outcome?.state === 'denied' && outcome.by === 'user';
  }
  for (const call of calls.slice(CALLS_PER_REPLY)) {
    const why = `Not run: too many calls in one reply (at most ${CALLS_PER_REPLY}). Send the rest again.`;
    outcomes.set(call.id, await skip(call, 'error', why, deps, queue));
  }
  return calls.flatMap((call) => outcomes.get(call.id) ?? []);
}

/**
 * Runs the calls of one reply (H10): reads at the same time, at most {@link PARALLEL_READS}; then everything else one by
 * one in order. Outcomes come back in call order. A refusal by the user skips what comes after it (fault-F81).
 */
export async function* runCalls(
  calls: readonly ReplyCall[],
  turn: Turn,
  step: number,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, CallOutcome[]> {
  const queue = new RecordQueue();
  const work = runAll(calls, turn, step, deps, queue).finally(() => queue.end());
  // The queue drains first; a failure of `work` must not count as unhandled meanwhile.
  work.catch(() => undefined);
  yield* queue.drain();
  return work;
}
