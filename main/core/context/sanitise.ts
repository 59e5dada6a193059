import type { HistoryCall, ModelMessage } from '../model/port';

/** What the model is told of a call whose end nobody recorded (crash, kill). */
export const INTERRUPTED_RESULT =
  'Interrupted before a result was recorded. The effect is unknown: check the state before you repeat it.';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/** Invalid UTF-16 makes a request body that strict servers refuse (fault-F111). */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

function takeResults(messages: readonly ModelMessage[]): Map<string, ToolMessage[]> {
  const results = new Map<string, ToolMessage[]>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const list = results.get(message.callId);
    if (list) list.push(message);
    else results.set(message.callId, [message]);
  }
  return results;
}

function uniqueId(id: string, used: ReadonlySet<string>): string {
  if (id !== '' && !used.has(id)) return id;
  for (let n = 2; ; n += 1) {
    const candidate = `${id === '' ? 'call' : id.slice(0, 56)}_${n}`;
    if (!used.has(candidate)) return candidate;
  }
}

function pairCalls(
  message: AssistantMessage,
  calls: readonly HistoryCall[],
  results: Map<string, ToolMessage[]>,
  used: Set<string>,
): ModelMessage[] {
  const paired: HistoryCall[] = [];
  const answers: ToolMessage[] = [];
  for (const call of calls) {
    const id = uniqueId(call.id, used);
    used.add(id);
    const answer = results.get(call.id)?.shift();
    paired.push(id === call.id ? call : { ...call, id });
    const content = answer ? wellFormed(answer.content) : INTERRUPTED_RESULT;
    answers.push({
      role: 'tool',
      callId: id,
      name: call.name,
      content: content === '' ? '(no output)' : content,
    });
  }
  return [{ ...message, content: wellFormed(message.content), calls: paired }, ...answers];
}

function cleanAssistant(message: AssistantMessage): ModelMessage[] {
  if (message.content.trim() === '') return [];
  return [{ ...message, content: wellFormed(message.content) }];
}

/**
 * Makes a history that every provider accepts (H12, fault-F56, F66, F83–F86): each call has exactly one result right
 * after its message and in call order, orphan results are dropped, ids are unique, empty messages are gone, text is
 * well-formed UTF-16. Pure; a valid history comes out with equal content, so prefix caches keep hitting.
 */
export function sanitiseMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const results = takeResults(messages);
  const used = new Set<string>();
  const clean: ModelMessage[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        clean.push(message);
        break;
      case 'user':
        if (message.content.trim() !== '' || (message.images?.length ?? 0) > 0) {
          clean.push({ ...message, content: wellFormed(message.content) });
        }
        break;
      case 'assistant':
        clean.push(
          ...(message.calls && message.calls.length > 0
            ? pairCalls(message, message.calls, results, used)
            : cleanAssistant(message)),
        );
        break;
      case 'tool':
        break;
    }
  }
  return clean;
}
