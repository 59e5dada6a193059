import { withSoundImages } from '../image/sound-images';
import type { HistoryCall, ModelMessage } from '../model/port';
import type { AssistantMessage, ContextEntry, ToolMessage } from './entry';
import { takeOverTokens } from './tokens';

/** What the model is told of a call whose end nobody recorded (crash, kill). */
export const INTERRUPTED_RESULT =
  'Interrupted before a result was recorded. The effect is unknown: check the state before you repeat it.';

/** Invalid UTF-16 makes a request body that strict servers refuse (fault-F111). */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

/**
 * Cleaned messages by the message they were made from. A message is cleaned once in its life, and the same message gives
 * the same object at every request: what is worked out about it later (tokens, shortened forms) is found again.
 */
const cleaned = new WeakMap<ModelMessage, ModelMessage>();

function clean<T extends ModelMessage>(message: T): T {
  const known = cleaned.get(message);
  if (known) return known as T;
  const sound = withSoundImages(message);
  const content = cleanText(sound);
  const made = content === sound.content ? sound : { ...sound, content };
  cleaned.set(message, made);
  return made;
}

const cleanText = (message: ModelMessage): string => {
  const content = wellFormed(message.content);
  return message.role === 'tool' && content === '' ? '(no output)' : content;
};

/** Results that stand in for missing ones, by the call they answer. */
const standIns = new WeakMap<HistoryCall, ToolMessage>();

function standIn(call: HistoryCall): ToolMessage {
  const known = standIns.get(call);
  if (known) return known;
  const made: ToolMessage = { role: 'tool', callId: call.id, name: call.name, content: INTERRUPTED_RESULT };
  standIns.set(call, made);
  return made;
}

function takeResults(entries: readonly ContextEntry[]): Map<string, ContextEntry[]> {
  const results = new Map<string, ContextEntry[]>();
  for (const entry of entries) {
    if (entry.message.role !== 'tool') continue;
    const list = results.get(entry.message.callId);
    if (list) list.push(entry);
    else results.set(entry.message.callId, [entry]);
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

/** A copy under another call id; kept, since the same id is given at every request. */
const renamed = new WeakMap<object, { id: string; made: unknown }>();

function rename<T extends object>(value: T, id: string, make: () => T): T {
  const known = renamed.get(value);
  if (known?.id === id) return known.made as T;
  const made = make();
  renamed.set(value, { id, made });
  return made;
}

/** A result under the name of its call. Results of imported sessions have none, and there may be megabytes of them. */
function named(message: ToolMessage, callId: string, name: string): ToolMessage {
  const made = { ...message, callId, name };
  if (callId === message.callId) takeOverTokens(message, made);
  return made;
}

function answerTo(
  call: HistoryCall,
  id: string,
  answer: ContextEntry | undefined,
  callerId: string,
): ContextEntry {
  const message = answer ? clean(answer.message as ToolMessage) : standIn(call);
  const fits = message.callId === id && message.name === call.name;
  return {
    id: answer?.id ?? `${callerId}:${call.id}`,
    message: fits ? message : rename(message, id, () => named(message, id, call.name)),
  };
}

function pairCalls(
  entry: ContextEntry,
  calls: readonly HistoryCall[],
  results: Map<string, ContextEntry[]>,
  used: Set<string>,
): ContextEntry[] {
  const message = clean(entry.message as AssistantMessage);
  const answers: ContextEntry[] = [];
  let changed = false;
  const paired = calls.map((call) => {
    const id = uniqueId(call.id, used);
    used.add(id);
    answers.push(answerTo(call, id, results.get(call.id)?.shift(), entry.id));
    if (id === call.id) return call;
    changed = true;
    return rename(call, id, () => ({ ...call, id }));
  });
  const ids = paired.map(({ id }) => id).join(' ');
  const whole = changed ? rename(message, ids, () => ({ ...message, calls: paired })) : message;
  return [{ id: entry.id, message: whole }, ...answers];
}

const isBlank = (message: ModelMessage): boolean =>
  message.content.trim() === '' && !(message.role === 'user' && (message.images?.length ?? 0) > 0);

/**
 * Makes a history that every provider accepts (H12, fault-F56, F66, F83–F86): each call has exactly one result right
 * after its message and in call order, orphan results are dropped, ids are unique, empty messages are gone, text is
 * well-formed UTF-16. Pure; a valid history comes out with equal content, so prefix caches keep hitting. The same message
 * objects give the same result objects, so that only new messages cost anything.
 */
export function sanitiseEntries(entries: readonly ContextEntry[]): ContextEntry[] {
  const results = takeResults(entries);
  const used = new Set<string>();
  const kept: ContextEntry[] = [];
  for (const entry of entries) {
    const { message } = entry;
    if (message.role === 'tool') continue;
    if (message.role === 'assistant' && message.calls && message.calls.length > 0) {
      kept.push(...pairCalls(entry, message.calls, results, used));
    } else if (message.role === 'system' || !isBlank(message)) {
      kept.push({ id: entry.id, message: clean(message) });
    }
  }
  return kept;
}

/** As {@link sanitiseEntries}, for messages without ids. */
export function sanitiseMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return sanitiseEntries(messages.map((message, at) => ({ id: String(at), message }))).map(
    ({ message }) => message,
  );
}
