import { AppError, toErrorShape } from '../../../shared/error';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { plansVerbatim } from '../agent/plans-verbatim';
import { compactSession } from '../context/compaction/compact-session';
import { planCut, tierFor, type SummaryTier } from '../context/compaction/plan-cut';
import { layOut, messagesOf, type LaidOut } from '../context/lay-out';
import { estimateMessageTokens, estimateToolTokens } from '../context/tokens';
import { forModel } from '../image/for-model';
import { COMPACTIONS_WITHOUT_HEADROOM, FULL_COMPACTION_RATIO } from '../limits';
import type { ModelMessage, ResolvedModel, ToolChoice, ToolSpec } from '../model/port';
import type { LoopDeps, TurnRecord } from './turn-types';

export interface PreparedRequest {
  messages: ModelMessage[];
  tools: ToolSpec[];
  toolChoice: ToolChoice;
  estimatedTokens: number;
}

/** A request that is being made: as it is now, and how it can be made again. */
interface Draft extends PreparedRequest {
  laidOut: LaidOut;
}

/** The name under which a model's counting is learnt. */
export const meterName = ({ provider, model }: ResolvedModel): string => `${provider.id}/${model}`;

/**
 * The request as it would go out now: prefix, then the history with everything that was summarised, shrunk, pinned or
 * taken out so far. Decides nothing.
 */
export async function draftRequest(deps: LoopDeps, model: ResolvedModel): Promise<Draft> {
  const mode = deps.mode();
  const { context, compaction: state } = deps;
  const laidOut = layOut({
    entries: deps.history.entries,
    compactions: context.compactions(),
    marks: context.marks(),
    shrink: state.shrink,
  });
  const prefix = await deps.prefix(mode, laidOut.compaction);
  const tools = deps.toolSpecs(mode);
  const messages = [...prefix, ...forModel(messagesOf(laidOut), model.sees)];
  const name = meterName(model);
  const estimatedTokens = state.meter.measure(messages, tools, name, context.ratio(name));
  return { messages, tools, toolChoice: 'auto', estimatedTokens, laidOut };
}

const shortNote = (before: number, after: number): string =>
  `Older tool results were shortened: about ${Math.round(before / 1000)}k → ${Math.round(after / 1000)}k tokens.`;

/** Names the parts that fill the window, largest first, so that the user knows what to drop (fault-F107). */
function biggestParts(messages: readonly ModelMessage[], toolTokens: number): string {
  const parts = new Map<string, number>([['tool descriptions', toolTokens]]);
  for (const message of messages) {
    const name =
      message.role === 'tool'
        ? `${message.name} results`
        : { system: 'instructions and rules', user: 'your messages', assistant: 'answers' }[message.role];
    parts.set(name, (parts.get(name) ?? 0) + estimateMessageTokens(message));
  }
  return [...parts.entries()]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name, tokens]) => `${name} ${tokens.toLocaleString('en')}`)
    .join(', ');
}

export function overflow(
  messages: readonly ModelMessage[],
  tools: readonly ToolSpec[],
  window: number,
): AppError {
  return new AppError(
    'provider_context',
    `This session no longer fits the model's window of ${window.toLocaleString('en')} tokens, even with older results shortened. Largest parts: ${biggestParts(messages, estimateToolTokens(tools))}.`,
    { hint: 'Start a new session for the next task, or choose a model with a larger window.' },
  );
}

/** Shrinks older tool results without a model (X1). Null when nothing was left to shrink. */
async function* shrink(
  draft: Draft,
  model: ResolvedModel,
  force: boolean,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, Draft | null> {
  const { context, compaction: state } = deps;
  const name = meterName(model);
  const ratio = context.ratio(name);
  const { laidOut } = draft;
  const measure = (): number => {
    const again = layOut({
      entries: deps.history.entries,
      compactions: laidOut.compaction ? [laidOut.compaction] : [],
      marks: context.marks(),
      shrink: state.shrink,
    });
    const prefix = draft.messages.slice(0, draft.messages.length - messagesOf(laidOut).length);
    return state.meter.measure(
      [...prefix, ...forModel(messagesOf(again), model.sees)],
      draft.tools,
      name,
      ratio,
    );
  };
  const shrunk = state.shrink.run({
    entries: laidOut.items.map(({ id, message }) => ({ id, message })),
    fixed: new Set(context.marks().map(([id]) => id)),
    window: force ? Math.min(model.contextWindow, draft.estimatedTokens) : model.contextWindow,
    measure,
  });
  if (shrunk === 0) return null;
  const next = await draftRequest(deps, model);
  const [beforeTokens, afterTokens] = [draft.estimatedTokens, next.estimatedTokens];
  const note = shortNote(beforeTokens, afterTokens);
  yield { payloads: [{ type: 'compaction', tier: 'in_turn', beforeTokens, afterTokens, note }] };
  return next;
}

const keptWhole = (error: unknown): TurnEventPayload => ({
  type: 'nudge',
  kind: 'compaction_failed',
  text: `The conversation could not be summarised, so it was kept whole: ${toErrorShape(error).message}`,
});

/** Summarises what is older (X2, X3). Null when nothing could go, or when it failed: the history is then as it was (fault-F39). */
async function* summariseOlder(
  tier: SummaryTier,
  draft: Draft,
  model: ResolvedModel,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, Draft | null> {
  const { entries } = deps.history;
  const standing = draft.laidOut.compaction;
  if (planCut(entries, standing?.replacedCount ?? 0, tier) === null) return null;
  yield { payloads: [{ type: 'compaction.started', tier }] };
  try {
    const done = await compactSession(
      {
        ...{ tier, entries, standing, model, focus: '', beforeTokens: draft.estimatedTokens },
        todos: deps.todos.read(),
        plans: plansVerbatim({ view: { plans: deps.plans.read() } }),
        squeeze: true,
        second: () => deps.resolveSecondModel(),
        signal: deps.signal,
      },
      deps.context,
    );
    if (!done) return null;
    yield { payloads: [done.payload] };
    return await draftRequest(deps, model);
  } catch (error) {
    deps.signal.throwIfAborted();
    yield { payloads: [keptWhole(error)] };
    return null;
  }
}

/** At the start of a turn: the tier that its size asks for, unless the user took the last summary back (see `quiet`). */
function turnStartTier(draft: Draft, model: ResolvedModel, deps: LoopDeps): SummaryTier | null {
  const { estimatedTokens: tokens, laidOut } = draft;
  const summarised = laidOut.compaction?.replacedCount ?? 0;
  const tier = tierFor(tokens, model.contextWindow, deps.history.entries.length - summarised);
  return tier !== null && quiet(draft, model, deps) ? null : tier;
}

/** Growth since a compaction that was undone, as a share of the window, before another one comes by itself. */
const QUIET_SHARE = 0.1;
/** From here on the next request would not fit, whatever the user wished. */
const NO_ROOM_SHARE = 0.95;

/** True while a compaction that the user has undone would only come again. */
function quiet(
  { estimatedTokens: tokens }: Draft,
  { contextWindow }: ResolvedModel,
  deps: LoopDeps,
): boolean {
  const last = deps.context.compactions().at(-1);
  if (last === undefined || last.undoneAt === null || tokens > contextWindow * NO_ROOM_SHARE) return false;
  return tokens < last.beforeTokens + contextWindow * QUIET_SHARE;
}

/** Summaries in mid-turn until there is room or nothing more can go; at most two that bring none (case-K01, fault-F107). */
async function* makeRoom(
  draft: Draft,
  model: ResolvedModel,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, { draft: Draft; helped: boolean }> {
  const { compaction: state } = deps;
  const enough = model.contextWindow * FULL_COMPACTION_RATIO;
  let [current, helped] = [draft, false];
  while (state.withoutHeadroom < COMPACTIONS_WITHOUT_HEADROOM) {
    const less = yield* summariseOlder('full', current, model, deps);
    if (!less) break;
    [current, helped] = [less, true];
    if (current.estimatedTokens <= enough) break;
    state.withoutHeadroom += 1;
  }
  return { draft: current, helped };
}

/**
 * Builds the next request and makes it fit: between turns by a summary (X2, X3), else by shrinking older tool results
 * (X1, fault-F108: looked at before every request), and when that is not enough by a summary in mid-turn.
 *
 * @param force make it smaller even below the threshold, after the provider said that it was too long
 * @throws AppError `provider_context` when nothing more can go and it still does not fit (fault-F107)
 */
export async function* prepareRequest(
  deps: LoopDeps,
  resolved: ResolvedModel,
  force: boolean,
): AsyncGenerator<TurnRecord, PreparedRequest> {
  const { compaction: state } = deps;
  const window = state.windowOf(meterName(resolved), resolved.contextWindow);
  const model = { ...resolved, contextWindow: window };
  let draft = await draftRequest(deps, model);
  if (state.isTurnStart) {
    state.isTurnStart = false;
    const tier = turnStartTier(draft, model, deps);
    if (tier) draft = (yield* summariseOlder(tier, draft, model, deps)) ?? draft;
  }
  const must = force || state.mustCompact;
  state.mustCompact = false;
  let helped = false;
  if (must || state.shrink.needed(draft.estimatedTokens, window)) {
    const shrunk = yield* shrink(draft, model, must, deps);
    helped = shrunk !== null;
    draft = shrunk ?? draft;
  }
  const limit = helped && must ? window : window * FULL_COMPACTION_RATIO;
  const inNeed = draft.estimatedTokens > limit || (force && !helped);
  if (inNeed && (must || !quiet(draft, model, deps))) {
    const made = yield* makeRoom(draft, model, deps);
    helped ||= made.helped;
    draft = made.draft;
  }
  // A window that was only inferred from a server's counts refuses nothing: it would still have answered.
  if (draft.estimatedTokens > resolved.contextWindow || (force && !helped))
    throw overflow(draft.messages, draft.tools, window);
  return draft;
}
