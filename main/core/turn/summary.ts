import type { MessageId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import type { ModelMessage, ResolvedModel, Usage } from '../model/port';
import type { TurnEvidence } from './receipt/evidence';
import { draftRequest } from './request';
import type { LoopDeps, TurnRecord } from './turn-types';

const ASK =
  'The turn ends here. Without calling tools, tell the user in a few sentences: what is done, what is not, and what to do next.';

/** Tools and how often they ran in this turn, for a summary without a model. */
function activity({ tools }: TurnEvidence): string {
  const list = [...tools].map(([name, { ran }]) => `${name} × ${ran}`).join(', ');
  if (list === '') return 'No tool ran.';
  const failed = [...tools.values()].reduce((sum, each) => sum + each.failed, 0);
  return `What ran: ${list}.${failed > 0 ? ` ${failed} of these did not succeed.` : ''}`;
}

/** What is known without the model: files changed and tools that ran. */
function localSummary(why: string, evidence: TurnEvidence): string {
  const files = evidence.files.map(
    ({ path, additions, deletions }) => `${path} (+${additions} −${deletions})`,
  );
  const changed = files.length === 0 ? 'No file was changed.' : `Changed: ${files.join(', ')}.`;
  return `${why} ${changed} ${activity(evidence)}`;
}

const usageOf = (usage: Usage, { provider, model }: ResolvedModel): TurnEventPayload => ({
  ...{ type: 'usage', estimated: false, model: `${provider.id}/${model}`, purpose: 'summary' },
  ...usage,
});

/**
 * The last words of a turn that a limit or guard ended (H9): one more model call without tools; when that fails, a
 * summary of the tool activity made here. Never throws, except when the user stops it.
 *
 * @returns the text that was shown
 */
export async function* finalSummary(
  why: string,
  model: ResolvedModel,
  messageId: MessageId,
  evidence: TurnEvidence,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, string> {
  let text = '';
  try {
    const { messages: history, tools } = await draftRequest(deps, model);
    const messages: ModelMessage[] = [...history, { role: 'user', content: `${why} ${ASK}` }];
    const request = { model: model.model, messages, tools, toolChoice: 'none' as const };
    const stream = model.provider.stream(request, { signal: deps.signal });
    for (;;) {
      const next = await stream.next();
      if (next.done) {
        if (next.value.usage) yield { payloads: [usageOf(next.value.usage, model)] };
        break;
      }
      if (next.value.type !== 'text') continue;
      text += next.value.text;
      yield { payloads: [{ type: 'text.delta', messageId, text: next.value.text }] };
    }
  } catch {
    deps.signal.throwIfAborted();
  }
  if (text.trim() === '') {
    text = localSummary(why, evidence);
    yield { payloads: [{ type: 'text.delta', messageId, text }] };
  }
  yield { payloads: [], messages: [deps.history.append({ role: 'assistant', content: text }, messageId)] };
  return text;
}
