import type { CallId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { readImagesMessage } from '../image/read-images';
import { CALLS_PER_REPLY, PARALLEL_READS } from '../limits';
import type { ReplyCall } from '../model/port';
import type { CallEnvironment, CallOutcome } from '../tool/types';
import { RecordQueue } from './record-queue';
import { withTouchedRules } from './touched-rules';
import type { LoopDeps, Turn, TurnRecord } from './turn-types';

const FINAL = new Set(['success', 'error', 'denied', 'cancelled']);

/** Where in the session a reply's calls run. */
interface Place {
  turn: Turn;
  step: number;
  deps: LoopDeps;
  queue: RecordQueue;
  /** Why a guard lets this call not run, as its result; null when it may. Asked right before it would run. */
  guard: (call: ReplyCall) => string | null;
  /** Whether the model of this step takes images. */
  sees: boolean | null;
}

/** A call with the world it runs in; its end is gathered so that end and answer become one record. */
interface Dispatched {
  call: ReplyCall;
  environment: CallEnvironment;
  end: TurnEventPayload[];
}

/** A read has no effect that a journal would have to come before: its records may be stored together with what follows. */
const deferrable = (call: ReplyCall, deps: LoopDeps): boolean => deps.runner.effectOf(call.name) === 'read';

/** What belongs to a call's end is held back for the record of its end. */
const belongsToEnd = (payload: TurnEventPayload): boolean =>
  payload.type === 'diff' ||
  payload.type === 'files.changed' ||
  (payload.type === 'call.state' && FINAL.has(payload.state));

function dispatched(call: ReplyCall, at: Place): Dispatched {
  const { turn, step, deps, queue, sees } = at;
  const end: TurnEventPayload[] = [];
  const environment: CallEnvironment = {
    sessionId: turn.sessionId,
    turnId: turn.turnId,
    step,
    asker: `${turn.agent}, step ${step}`,
    mode: deps.mode(),
    signal: deps.signal,
    ledger: deps.ledger,
    todos: deps.todos,
    plans: deps.plans,
    sees,
    refusal: deps.refusal?.(call.name) ?? null,
    emit: (payload) => {
      if (end.length > 0 || belongsToEnd(payload)) {
        end.push(payload);
        return Promise.resolve();
      }
      const stored = queue.push({
        payloads: [payload],
        deferrable: payload.type === 'call.state' && deferrable(call, deps),
      });
      // Nothing hangs on this one: it goes along with what the call says next.
      const isOnWay = payload.type === 'call.state' && payload.state === 'validating';
      return isOnWay ? Promise.resolve() : stored;
    },
  };
  return { call, environment, end };
}

/** Runs one call, or several that are applied as one; the end of each and the message that answers it are one record. */
async function runUnit(unit: readonly ReplyCall[], at: Place): Promise<CallOutcome[]> {
  const { deps, queue } = at;
  const calls = unit.map((call) => dispatched(call, at));
  const outcomes = await deps.runner.runTogether(calls);
  const texts = await Promise.all(
    calls.map(({ call }, index) => withTouchedRules(call, outcomes[index], deps)),
  );
  // In one moment, so that they are stored together and in the order of the calls.
  const stored = calls.map(({ call, end }, index) =>
    queue.push({
      payloads: end,
      messages: [answer(call, texts[index] ?? '', deps)],
      deferrable: deferrable(call, deps),
    }),
  );
  await Promise.all(stored);
  return outcomes;
}

const answer = (call: ReplyCall, content: string, deps: LoopDeps) =>
  deps.history.append({ role: 'tool', callId: call.id, name: call.name, content });

/** Ends a call that never ran, with the reason for the model. */
async function skip(
  call: ReplyCall,
  state: keyof typeof SKIP_CODES,
  why: string,
  { deps, queue }: Place,
): Promise<CallOutcome> {
  const error = { code: SKIP_CODES[state], message: why, audience: 'model' as const };
  const by = state === 'denied' ? { by: 'guard' as const } : {};
  await queue.push({
    payloads: [{ type: 'call.state', callId: call.id as CallId, tool: call.name, state, ...by, error }],
    messages: [answer(call, why, deps)],
  });
  return { callId: call.id, tool: call.name, state, ...by, modelText: why, error, diffs: [] };
}

/** Codes of calls that never ran, by how they ended. */
const SKIP_CODES = { error: 'bad_argument', cancelled: 'cancelled', denied: 'not_approved' } as const;

/** Runs a unit unless the turn was stopped before. */
async function runOrSkip(unit: readonly ReplyCall[], at: Place): Promise<CallOutcome[]> {
  if (!at.deps.signal.aborted) return await runPermitted(unit, at);
  const why = 'Not run: the user stopped the turn.';
  return await Promise.all(unit.map((call) => skip(call, 'cancelled', why, at)));
}

/** Runs what the guards let run; the rest gets their reason as its result. */
async function runPermitted(unit: readonly ReplyCall[], at: Place): Promise<CallOutcome[]> {
  const reasons = new Map(unit.map((call) => [call.id, at.guard(call)]));
  const permitted = unit.filter((call) => reasons.get(call.id) === null);
  const refused = unit.filter((call) => reasons.get(call.id) !== null);
  return [
    ...(permitted.length === 0 ? [] : await runUnit(permitted, at)),
    ...(await Promise.all(refused.map((call) => skip(call, 'denied', reasons.get(call.id) ?? '', at)))),
  ];
}

async function runReads(calls: readonly ReplyCall[], at: Place): Promise<CallOutcome[]> {
  const open = [...calls];
  const outcomes: CallOutcome[] = [];
  const lanes = Array.from({ length: Math.min(PARALLEL_READS, open.length) }, async () => {
    for (let call = open.shift(); call; call = open.shift()) outcomes.push(...(await runOrSkip([call], at)));
  });
  await Promise.all(lanes);
  return outcomes;
}

/** The first of these calls with those after it that are applied together with it: edits of one file. */
async function nextUnit(calls: readonly [ReplyCall, ...ReplyCall[]], deps: LoopDeps): Promise<ReplyCall[]> {
  const [first, ...rest] = calls;
  const unit = [first];
  const key = rest.length === 0 ? null : await deps.runner.joinKey(first);
  if (key === null) return unit;
  for (const call of rest) {
    if ((await deps.runner.joinKey(call)) !== key) break;
    unit.push(call);
  }
  return unit;
}

/** The first of these calls with those after it that run at the same time with it: subagents. Null for any other call. */
function sideBySide(calls: readonly ReplyCall[], { runner }: LoopDeps): readonly ReplyCall[] | null {
  const end = calls.findIndex((call) => !runner.runsBeside(call.name));
  return end === 0 ? null : calls.slice(0, end === -1 ? calls.length : end);
}

/** Everything but reads, in order. A refusal by the user skips what comes after it (fault-F81). */
async function runInOrder(calls: readonly ReplyCall[], at: Place): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  for (;;) {
    const [first, ...rest] = calls.slice(outcomes.length);
    if (first === undefined) return outcomes;
    const side = sideBySide([first, ...rest], at.deps);
    const done = side
      ? (await Promise.all(side.map((call) => runOrSkip([call], at)))).flat()
      : await runOrSkip(await nextUnit([first, ...rest], at.deps), at);
    outcomes.push(...done);
    if (!done.some(({ state, by }) => state === 'denied' && by === 'user')) continue;
    const why = 'Skipped: the user refused an earlier call of the same reply.';
    for (const call of calls.slice(outcomes.length)) outcomes.push(await skip(call, 'cancelled', why, at));
  }
}

async function runAll(calls: readonly ReplyCall[], at: Place): Promise<CallOutcome[]> {
  const within = calls.slice(0, CALLS_PER_REPLY);
  const isRead = (call: ReplyCall): boolean => at.deps.runner.effectOf(call.name) === 'read';
  const outcomes = [
    ...(await runReads(within.filter(isRead), at)),
    ...(await runInOrder(
      within.filter((call) => !isRead(call)),
      at,
    )),
  ];
  for (const call of calls.slice(CALLS_PER_REPLY)) {
    const why = `Not run: too many calls in one reply (at most ${CALLS_PER_REPLY}). Send the rest again.`;
    outcomes.push(await skip(call, 'error', why, at));
  }
  const byId = new Map(outcomes.map((outcome) => [outcome.callId, outcome]));
  return calls.flatMap((call) => byId.get(call.id) ?? []);
}

/**
 * Runs the calls of one reply (H10): reads at the same time, at most {@link PARALLEL_READS}; then everything else in order,
 * one by one, except that edits of one file next to each other are one pass. Outcomes come back in call order.
 *
 * @param guard why a call is not run, or null
 * @param sees whether the model takes images: pictures that calls bring follow behind the results
 */
export async function* runCalls(
  calls: readonly ReplyCall[],
  turn: Turn,
  step: number,
  deps: LoopDeps,
  guard: (call: ReplyCall) => string | null = () => null,
  sees: boolean | null = null,
): AsyncGenerator<TurnRecord, CallOutcome[]> {
  const queue = new RecordQueue();
  const work = runAll(calls, { turn, step, deps, queue, guard, sees }).finally(() => queue.end());
  // The queue drains first; a failure of `work` must not count as unhandled meanwhile.
  work.catch(() => undefined);
  yield* queue.drain();
  const outcomes = await work;
  const images = readImagesMessage(outcomes);
  if (images) {
    const added = deps.history.append(images.message);
    yield { payloads: [images.event(added.id)], messages: [added], deferrable: true };
  }
  return outcomes;
}
