import { Classification } from '../../../../shared/model/classification';
import type { ModelReply, ResolvedModel } from '../../model/port';
import { classifyMessages } from './classify-prompt';
import { boundedRequest } from './request-text';

/** No turn waits longer than this for its classification. */
export const ASK_LIMIT_MS = 8_000;
const ANSWER_TOKENS = 200;

const Answer = Classification.omit({ needsFlagship: true }).strict();

/** The JSON object of an answer, also inside a fence. @returns null when it is not what was asked for */
export function readAnswer(text: string): Classification | null {
  const body = /\{[\s\S]*\}/.exec(text)?.[0];
  if (body === undefined) return null;
  try {
    const answer = Answer.safeParse(JSON.parse(body));
    if (!answer.success) return null;
    const { data } = answer;
    // Kept consistent whatever the model wrote: nothing is edited where nothing should change.
    const editScope = data.goalKind === 'code_change' ? data.editScope : 'none';
    return { ...data, editScope, needsFlagship: data.complexity === 'complex' };
  } catch {
    return null;
  }
}

/**
 * Asks a cheap model what a request is (H14). Never fails a turn: whatever goes wrong, or takes too long, gives null.
 *
 * @param previous the user's message before, or null
 * @throws only the signal's own reason, when the user stopped the turn
 */
export async function askModel(
  text: string,
  previous: string | null,
  { provider, model }: ResolvedModel,
  options: { signal: AbortSignal; limitMs?: number },
): Promise<{ classification: Classification | null; usage: ModelReply['usage'] }> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.limitMs ?? ASK_LIMIT_MS)]);
  try {
    const messages = classifyMessages(boundedRequest(text), previous);
    const request = {
      model,
      messages,
      tools: [],
      toolChoice: 'none' as const,
      purpose: 'classify' as const,
      maxOutputTokens: ANSWER_TOKENS,
    };
    const stream = provider.stream(request, { signal });
    for (;;) {
      const next = await stream.next();
      if (next.done) return { classification: readAnswer(next.value.text), usage: next.value.usage };
    }
  } catch {
    options.signal.throwIfAborted();
    return { classification: null, usage: null };
  }
}
