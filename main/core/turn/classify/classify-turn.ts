import type { Classification } from '../../../../shared/model/classification';
import type { TurnEventPayload } from '../../../../shared/model/turn-event';
import type { ResolvedModel } from '../../model/port';
import type { LoopDeps, TurnRecord, TurnRequest } from '../turn-types';
import { askModel } from './ask-model';
import { classifyByWords } from './heuristics';
import { SURE } from './sure';

const byWords = ({ text, previousText }: TurnRequest): Classification =>
  classifyByWords(text, { previous: previousText === null ? null : classifyByWords(previousText) });

/** A model on this machine would be kept from the real work by it, and a script has no answer. */
const mayAsk = (how: TurnRequest['askModel'], { provider, local }: ResolvedModel): boolean =>
  how === 'always' || (how === 'auto' && !provider.scripted && local !== true);

async function fastModel(deps: LoopDeps): Promise<ResolvedModel | null> {
  try {
    return await deps.resolveModel({ tier: 'fast', why: 'classification' });
  } catch {
    // That no model is set up is told by the first step.
    return null;
  }
}

/**
 * What the turn is about (H14): words first, a cheap model when they don't decide. Yields `turn.classified`. Null when it
 * is switched off.
 *
 * @throws only when the user stopped the turn
 */
export async function* classifyTurn(
  request: TurnRequest | undefined,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, Classification | null> {
  if (request?.classify !== true || request.text.trim() === '') return null;
  const words = byWords(request);
  let result: { classification: Classification; by: 'words' | 'model' } = {
    classification: words,
    by: 'words',
  };
  const usage: TurnEventPayload[] = [];
  if (words.confidence < SURE && request.askModel !== 'never') {
    const model = await fastModel(deps);
    if (model !== null && mayAsk(request.askModel, model)) {
      const asked = await askModel(request.text, request.previousText, model, { signal: deps.signal });
      const name = `${model.provider.id}/${model.model}`;
      if (asked.classification) result = { classification: asked.classification, by: 'model' };
      if (asked.usage)
        usage.push({ type: 'usage', estimated: false, model: name, purpose: 'classify', ...asked.usage });
    }
  }
  yield {
    payloads: [...usage, { type: 'turn.classified', ...result.classification, by: result.by }],
    deferrable: true,
  };
  return result.classification;
}
