import type { MessageId } from '../../../shared/model/ids';
import type { ModelMessage, ResolvedModel } from '../model/port';
import { draftRequest } from './request';
import type { LoopDeps, TurnRecord } from './turn-types';

const ASK =
  'The turn ends here. Without calling tools, tell the user in a few sentences: what is done, what is not, and what to do next.';

/** Tools and how often they ran since the user's last message, for a summary without a model. */
function activity(messages: readonly ModelMessage[]): string {
  const counts = new Map<string, number>();
  let failed = 0;
  for (let i = messages.length - 1; i >= 0; i -= 1) {
    const message = messages[i];
    if (message?.role === 'user') break;
    if (message?.role !== 'tool') continue;
    counts.set(message.name, (counts.get(message.name) ?? 0) + 1);
    if (/^(error|denied|not run)/i.test(message.content)) failed += 1;
  }
  const list = [...counts.entries()].map(([name, count]) => `${name} × ${count}`).join(', ');
  if (list === '') return 'No tool ran.';
  return `What ran: ${list}.${failed > 0 ? ` ${failed} of these did not succeed.` : ''}`;
}

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
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, string> {
  let text = '';
  try {
    const { messages: history, tools } = await draftRequest(deps, model);
    const messages: ModelMessage[] = [...history, { role: 'user', content: `${why} ${ASK}` }];
    const request = { model: model.model, messages, tools, toolChoice: 'none' as const };
    const stream = model.provider.stream(request, { signal: deps.signal });
    for (let next = await stream.next(); !next.done; next = await stream.next()) {
      if (next.value.type !== 'text') continue;
      text += next.value.text;
      yield { payloads: [{ type: 'text.delta', messageId, text: next.value.text }] };
    }
  } catch {
    deps.signal.throwIfAborted();
  }
  if (text.trim() === '') {
    text = `${why} ${activity(deps.history.messages)}`;
    yield { payloads: [{ type: 'text.delta', messageId, text }] };
  }
  yield { payloads: [], messages: [deps.history.append({ role: 'assistant', content: text }, messageId)] };
  return text;
}
