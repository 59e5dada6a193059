import type { ContextAction, ContextItem, ContextItemState } from '../../../shared/contract/context';
import { hasImages } from '../image/left-out';
import type { ModelMessage, ToolSpec } from '../model/port';
import type { PromptPart } from '../turn/prompt/build-prompt';
import { shortText } from './in-turn-compaction';
import type { LaidOut, LaidOutItem } from './lay-out';
import { estimateMessageTokens, estimateTextTokens, estimateToolTokens } from './tokens';

export const PART_PREFIX = 'part:';
export const TOOLS_ID = 'part:tools';
export const SUMMARY_PREFIX = 'summary:';

export interface LensInput {
  parts: readonly PromptPart[];
  tools: readonly ToolSpec[];
  laidOut: LaidOut;
  /** Messages that the standing compaction replaces, when they are to be listed. */
  replaced: readonly LaidOutItem[];
  /** What the user wrote, by message id; other user messages are notes of the harness. */
  userTexts: ReadonlyMap<string, string>;
  labelOf(tool: string, args: unknown): string;
  ratio: number;
}

const TITLE_CHARS = 120;

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ') ?? '';
  return line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS).toWellFormed()}…`;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
};

/** Titles of results come from the calls that they answer. */
function callLabels(items: readonly LaidOutItem[], labelOf: LensInput['labelOf']): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { message } of items) {
    if (message.role !== 'assistant') continue;
    for (const call of message.calls ?? []) {
      const label = labelOf(call.name, parsed(call.arguments));
      labels.set(call.id, label.replaceAll('`', ''));
    }
  }
  return labels;
}

const countCalls = (message: ModelMessage): number =>
  message.role === 'assistant' ? (message.calls?.length ?? 0) : 0;

function titleOf({ id, message }: LaidOutItem, labels: Map<string, string>, input: LensInput): string {
  switch (message.role) {
    case 'user':
      return (
        firstLine(input.userTexts.get(id) ?? message.content.replace(/^<[^>]+>\s*/, '')) ||
        (hasImages(message) ? 'Image' : '')
      );
    case 'assistant': {
      const calls = countCalls(message);
      const asks = calls === 0 ? '' : calls === 1 ? '1 call' : `${calls} calls`;
      return [firstLine(message.content), asks].filter((part) => part !== '').join(' · ');
    }
    case 'tool':
      return labels.get(message.callId) ?? message.name;
    case 'system':
      return firstLine(message.content);
  }
}

function kindOf({ id, message }: LaidOutItem, input: LensInput): ContextItem['kind'] {
  if (message.role === 'tool') return 'result';
  if (message.role === 'assistant') return 'assistant';
  return input.userTexts.size === 0 || input.userTexts.has(id) ? 'user' : 'note';
}

/** Whether one more step of shortening would change anything. */
function canCollapse({ message, state }: LaidOutItem): boolean {
  if (message.role === 'tool') return state === 'whole' ? message.content.length >= 200 : state === 'shrunk';
  return state === 'whole' && (hasImages(message) || shortText(message.content) !== message.content);
}

/** What can be done with an item; the reasons why not are told when it is tried. */
export function actionsFor(item: LaidOutItem, isMarked: boolean): ContextAction[] {
  const { state, message } = item;
  if (state === 'pinned') return ['unpin'];
  if (state === 'summarised') return ['pin'];
  if (state === 'evicted') return isMarked ? ['restore'] : [];
  const actions: ContextAction[] = message.role === 'system' ? [] : ['pin'];
  if (canCollapse(item)) actions.push('collapse');
  actions.push('evict');
  if (isMarked) actions.push('restore');
  return actions;
}

const scaled = (tokens: number, ratio: number): number => Math.ceil(tokens * ratio);

const part = (id: string, kind: ContextItem['kind'], title: string, tokens: number): ContextItem => ({
  ...{ id, kind, title, tokens },
  fullTokens: tokens,
  state: 'whole',
  actions: [],
});

/** The next request item by item, in its order: instructions, layout, rules, tools, then the history. */
export function lensItems(input: LensInput, marked: ReadonlySet<string>): ContextItem[] {
  const { parts, tools, laidOut, replaced, ratio } = input;
  const labels = callLabels([...replaced, ...laidOut.items], input.labelOf);
  const toItem = (item: LaidOutItem): ContextItem => {
    const fullTokens = scaled(estimateMessageTokens(item.message), ratio);
    const state: ContextItemState = item.state;
    return {
      id: item.id,
      kind: kindOf(item, input),
      title: titleOf(item, labels, input),
      tokens: item.sent ? scaled(estimateMessageTokens(item.sent), ratio) : 0,
      fullTokens,
      state,
      actions: actionsFor(item, marked.has(item.id)),
    };
  };
  const before = parts.map(({ id, title, text }) =>
    part(`${PART_PREFIX}${id}`, 'part', title, scaled(estimateTextTokens(text), ratio)),
  );
  const toolTitle = `${tools.length} tools`;
  const summary =
    laidOut.summary && laidOut.compaction
      ? [
          part(
            `${SUMMARY_PREFIX}${laidOut.compaction.id}`,
            'summary',
            `Summary of ${laidOut.compaction.replacedCount} messages`,
            scaled(estimateMessageTokens(laidOut.summary), ratio),
          ),
        ]
      : [];
  return [
    ...before,
    part(TOOLS_ID, 'tools', toolTitle, scaled(estimateToolTokens(tools), ratio)),
    ...replaced.map(toItem),
    ...summary,
    ...laidOut.items.map(toItem),
  ];
}
