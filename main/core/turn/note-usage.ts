import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { estimateRequestTokens } from '../context/tokens';
import type { ResolvedModel, Usage } from '../model/port';
import { meterName, type PreparedRequest } from './request';
import type { LoopDeps } from './turn-types';

/** A prompt of which the server counted less than this share was not taken whole. */
const CUT_SHARE = 0.5;
/** Counts below this are a server that counts something else: local servers take 2,048 at the very least. */
const LEAST_CUT_TOKENS = 2_000;

const warning = (kind: string, text: string): TurnEventPayload => ({ type: 'nudge', kind, text });
const shown = (tokens: number): string => tokens.toLocaleString('en');

function exceeded(reported: number, { model, contextWindow }: ResolvedModel): TurnEventPayload {
  return warning(
    'context_exceeded',
    `The provider counted ${shown(reported)} tokens, more than the ${shown(contextWindow)} that ${model} is known to take. The next request is made smaller.`,
  );
}

function cut(reported: number, sent: number, { model }: ResolvedModel): TurnEventPayload {
  return warning(
    'context_cut',
    `The server seems to cut the prompt: it counted ${shown(reported)} of about ${shown(sent)} tokens for ${model}. Older parts are shortened from now on; a larger context (num_ctx in Ollama) avoids that.`,
  );
}

/**
 * Learns from what a provider counted: how this model counts, and whether the prompt was too long or was cut without a word
 * (fault-F104). A warning comes once; the next request is made smaller either way.
 */
export function noteUsage(
  request: PreparedRequest,
  model: ResolvedModel,
  usage: Usage | null,
  deps: LoopDeps,
): TurnEventPayload[] {
  const { compaction: state, context } = deps;
  const name = meterName(model);
  state.meter.note(request, name, usage);
  if (usage === null) return [];
  const { inputTokens: reported } = usage;
  const sent = request.estimatedTokens;
  context.learn(name, reported, estimateRequestTokens(request.messages, request.tools));
  const looksCut = reported >= LEAST_CUT_TOKENS && reported < sent * CUT_SHARE;
  if (state.noteCount(name, reported, sent, looksCut))
    deps.models.learnContextWindow(model.provider.id, model.model, reported);
  if (looksCut) {
    state.mustCompact = true;
    return state.tellOnce(`cut ${name}`) ? [cut(reported, sent, model)] : [];
  }
  if (reported <= model.contextWindow) return [];
  state.mustCompact = true;
  return state.tellOnce(`exceeded ${name}`) ? [exceeded(reported, model)] : [];
}
