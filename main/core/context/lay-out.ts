import { replaceImages } from '../image/left-out';
import type { ModelMessage } from '../model/port';
import { summaryMessageText } from '../turn/prompt/summary-prompt';
import { prefixHash } from './compaction/prefix-hash';
import type { AssistantMessage, ContextEntry, ToolMessage, UserMessage } from './entry';
import { shortText, shrinkResult, type InTurnCompaction } from './in-turn-compaction';
import type { CompactionRecord, ItemMark } from './records';
import { sanitiseEntries } from './sanitise';

export type ItemState = 'whole' | 'shrunk' | 'stub' | 'pinned' | 'evicted' | 'summarised';

/** One message of the history and what of it the next request holds. */
export interface LaidOutItem {
  readonly id: string;
  /** Cleaned, whole. */
  readonly message: ModelMessage;
  /** As it is sent; null when it is not sent by itself. */
  readonly sent: ModelMessage | null;
  readonly state: ItemState;
}

export interface LayOutInput {
  entries: readonly ContextEntry[];
  compactions: readonly CompactionRecord[];
  marks: readonly (readonly [string, ItemMark])[];
  shrink: Pick<InTurnCompaction, 'levelOf'>;
}

export interface LaidOut {
  /** The compaction that stands; null for none. */
  readonly compaction: CompactionRecord | null;
  /** The message that stands for what it replaced, pinned items in it word for word; null without a compaction. */
  readonly summary: UserMessage | null;
  readonly items: readonly LaidOutItem[];
}

/** The newest compaction that stands and whose messages are still the ones it was made from (X4, case-K08). */
export function standingCompaction(
  compactions: readonly CompactionRecord[],
  entries: readonly ContextEntry[],
): CompactionRecord | null {
  const fits = (record: CompactionRecord): boolean =>
    record.undoneAt === null &&
    record.replacedCount <= entries.length &&
    prefixHash(entries, record.replacedCount) === record.prefixHash;
  return compactions.findLast(fits) ?? null;
}

/** A pinned item in the summary's message: its text stands there exactly as it was. */
function pinnedText(message: ModelMessage): string {
  if (message.role === 'tool') return `<result tool="${message.name}">\n${message.content}\n</result>`;
  if (message.role !== 'assistant') return `<message from="${message.role}">\n${message.content}\n</message>`;
  const calls = (message.calls ?? []).map((call) => `<call tool="${call.name}">${call.arguments}</call>`);
  return ['<message from="assistant">', message.content, ...calls, '</message>'].join('\n');
}

const summaries = new WeakMap<CompactionRecord, { pins: string; message: UserMessage }>();

/** The same object while the pins stay the same. */
function summaryMessage(record: CompactionRecord, pinned: readonly LaidOutItem[]): UserMessage {
  const pins = pinned.map(({ id }) => id).join(' ');
  const known = summaries.get(record);
  if (known?.pins === pins) return known.message;
  const content = summaryMessageText(
    record.summary,
    record.kept,
    pinned.map(({ message }) => pinnedText(message)),
  );
  const images = pinned.flatMap(({ message }) => (message.role === 'user' ? (message.images ?? []) : []));
  const message: UserMessage = { role: 'user', content, ...(images.length === 0 ? {} : { images }) };
  summaries.set(record, { pins, message });
  return message;
}

/** Why a picture is not in the request any more. */
const SHRUNK_IMAGE = 'it was taken out to save context';

const shortened = new WeakMap<ModelMessage, ModelMessage>();

function shortMessage(message: ModelMessage): ModelMessage {
  const known = shortened.get(message);
  if (known) return known;
  const bare = replaceImages(message, () => SHRUNK_IMAGE);
  const content = shortText(bare.content);
  const made = content === bare.content ? bare : { ...bare, content };
  shortened.set(message, made);
  return made;
}

function layResult(
  id: string,
  message: ToolMessage,
  mark: ItemMark | undefined,
  input: LayOutInput,
): LaidOutItem {
  const at = (level: 'short' | 'stub' | 'repeat', state: ItemState): LaidOutItem => ({
    id,
    message,
    sent: shrinkResult(message, level),
    state,
  });
  switch (mark) {
    case 'pinned':
      return { id, message, sent: message, state: 'pinned' };
    case 'evicted':
      // The call it answers stays, so a line has to stand for it.
      return at('stub', 'evicted');
    case 'stub':
      return at('stub', 'stub');
    case 'short':
      return at('short', 'shrunk');
    case undefined:
      break;
  }
  const level = input.shrink.levelOf(id);
  if (level === undefined) return { id, message, sent: message, state: 'whole' };
  return at(level, level === 'short' ? 'shrunk' : 'stub');
}

function layText(
  id: string,
  message: UserMessage | AssistantMessage,
  mark: ItemMark | undefined,
  input: LayOutInput,
): LaidOutItem {
  switch (mark) {
    case 'pinned':
      return { id, message, sent: message, state: 'pinned' };
    case 'evicted':
      return { id, message, sent: null, state: 'evicted' };
    case 'short':
    case 'stub':
      return { id, message, sent: shortMessage(message), state: 'shrunk' };
    case undefined:
      break;
  }
  // Pictures that a tool read go as its older results do.
  if (input.shrink.levelOf(id) === undefined) return { id, message, sent: message, state: 'whole' };
  return { id, message, sent: shortMessage(message), state: 'shrunk' };
}

/** A pinned result is sent behind the message with its call, so that one can't be taken out. */
function answersPinned(
  entries: readonly ContextEntry[],
  at: number,
  marks: ReadonlyMap<string, ItemMark>,
): boolean {
  for (let next = at + 1; entries[next]?.message.role === 'tool'; next += 1) {
    if (marks.get(entries[next]?.id ?? '') === 'pinned') return true;
  }
  return false;
}

/** With a message that was taken out go the results of its calls, unless one of them is pinned. */
function layAll(
  entries: readonly ContextEntry[],
  marks: ReadonlyMap<string, ItemMark>,
  input: LayOutInput,
): LaidOutItem[] {
  let gone = false;
  return entries.map(({ id, message }, at) => {
    if (message.role === 'tool') {
      return gone
        ? { id, message, sent: null, state: 'evicted' }
        : layResult(id, message, marks.get(id), input);
    }
    if (message.role === 'system') return { id, message, sent: message, state: 'whole' };
    const item = layText(id, message, marks.get(id), input);
    gone = item.sent === null && !answersPinned(entries, at, marks);
    return item.sent === null && !gone ? { id, message, sent: message, state: 'whole' } : item;
  });
}

/** The messages that a compaction replaces, one by one: summarised, or pinned and then word for word in its message. */
export function replacedItems(
  record: CompactionRecord,
  entries: readonly ContextEntry[],
  marks: LayOutInput['marks'],
): LaidOutItem[] {
  const byId = new Map(marks);
  return sanitiseEntries(entries.slice(0, record.replacedCount)).map(({ id, message }) => ({
    id,
    message,
    sent: null,
    state: byId.get(id) === 'pinned' ? 'pinned' : 'summarised',
  }));
}

/** What the next request holds of a session's history, item by item in its order. Pure. */
export function layOut(input: LayOutInput): LaidOut {
  const { entries } = input;
  const marks = new Map(input.marks);
  const compaction = standingCompaction(input.compactions, entries);
  if (!compaction)
    return { compaction, summary: null, items: layAll(sanitiseEntries(entries), marks, input) };
  const anyPinned = input.marks.some(([, mark]) => mark === 'pinned');
  const pinned = anyPinned
    ? replacedItems(compaction, entries, input.marks).filter(({ state }) => state === 'pinned')
    : [];
  return {
    compaction,
    summary: summaryMessage(compaction, pinned),
    items: layAll(sanitiseEntries(entries.slice(compaction.replacedCount)), marks, input),
  };
}

/** The messages of a request, in order. */
export function messagesOf({ summary, items }: LaidOut): ModelMessage[] {
  const sent = items.flatMap((item) => item.sent ?? []);
  return summary ? [summary, ...sent] : sent;
}
