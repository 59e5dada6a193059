import type { ContextAction } from '../../../shared/contract/context';
import { AppError } from '../../../shared/error';
import { PINNED_WINDOW_SHARE } from '../limits';
import { shortText } from './in-turn-compaction';
import type { LaidOutItem } from './lay-out';
import type { ItemMark } from './records';
import { estimateMessageTokens } from './tokens';

export interface MarkRequest {
  action: ContextAction;
  item: LaidOutItem;
  /** Everything of the session: what is summarised, then what is not. */
  all: readonly LaidOutItem[];
  marks: ReadonlyMap<string, ItemMark>;
  /** Id of the user's newest message. */
  lastRequest: string | null;
  window: number;
  ratio: number;
}

const refuse = (message: string, hint: string): AppError => new AppError('bad_argument', message, { hint });

/** Tokens that pinned items take together. */
export function pinnedTokens(
  all: readonly LaidOutItem[],
  marks: ReadonlyMap<string, ItemMark>,
  ratio: number,
): number {
  return all.reduce(
    (sum, { id, message }) =>
      marks.get(id) === 'pinned' ? sum + Math.ceil(estimateMessageTokens(message) * ratio) : sum,
    0,
  );
}

export const pinLimit = (window: number): number => Math.floor(window * PINNED_WINDOW_SHARE);

const percent = (tokens: number, window: number): number => Math.round((tokens / window) * 100);

function pin({ item, all, marks, window, ratio }: MarkRequest): ItemMark {
  if (item.state === 'evicted' && marks.get(item.id) !== 'evicted')
    throw refuse('Its call was taken out of the context.', 'Restore the call first.');
  const others = new Map(marks);
  others.delete(item.id);
  const wanted = pinnedTokens(all, others, ratio) + Math.ceil(estimateMessageTokens(item.message) * ratio);
  if (wanted > pinLimit(window)) {
    throw refuse(
      `Pinned items would take ${percent(wanted, window)} % of the window; the limit is ${PINNED_WINDOW_SHARE * 100} %.`,
      'Unpin something else first.',
    );
  }
  return 'pinned';
}

/** The results of the calls that an item makes. */
function resultsOf(item: LaidOutItem, all: readonly LaidOutItem[]): LaidOutItem[] {
  if (item.message.role !== 'assistant') return [];
  const ids = new Set((item.message.calls ?? []).map(({ id }) => id));
  const from = all.indexOf(item) + 1;
  return all
    .slice(from, from + ids.size)
    .filter(({ message }) => message.role === 'tool' && ids.has(message.callId));
}

function evict({ item, all, marks, lastRequest }: MarkRequest): ItemMark {
  if (item.id === lastRequest)
    throw refuse('This is the request that is being worked on.', 'Send the next message first.');
  if (marks.get(item.id) === 'pinned') throw refuse('This item is pinned.', 'Unpin it first.');
  if (resultsOf(item, all).some(({ id }) => marks.get(id) === 'pinned'))
    throw refuse('A result of its calls is pinned.', 'Unpin the result first.');
  return 'evicted';
}

function collapse({ item, lastRequest }: MarkRequest): ItemMark {
  if (item.id === lastRequest)
    throw refuse('This is the request that is being worked on.', 'Send the next message first.');
  const { message, state } = item;
  const isLong = shortText(message.content) !== message.content;
  if (state === 'whole' && isLong) return 'short';
  if (message.role === 'tool' && (state === 'whole' || state === 'shrunk')) return 'stub';
  throw refuse('This item is as short as it gets.', 'Take it out of the context, or leave it.');
}

/**
 * The mark that an action leaves on an item; null for none.
 *
 * @throws AppError `bad_argument` with the reason when it can't be done
 */
export function markFor(request: MarkRequest): ItemMark | null {
  const { action, item, marks } = request;
  if (item.state === 'summarised' && action !== 'pin')
    throw refuse('This item stands in the summary only.', 'Undo the summary first, or pin the item.');
  switch (action) {
    case 'pin':
      return pin(request);
    case 'unpin':
      if (marks.get(item.id) !== 'pinned') throw refuse('This item is not pinned.', 'Nothing was changed.');
      return null;
    case 'evict':
      return evict(request);
    case 'collapse':
      if (marks.get(item.id) === 'pinned') throw refuse('This item is pinned.', 'Unpin it first.');
      return collapse(request);
    case 'restore':
      if (marks.get(item.id) === undefined)
        throw refuse('Nothing was changed about this item.', 'Pin it to keep it whole.');
      return null;
  }
}
