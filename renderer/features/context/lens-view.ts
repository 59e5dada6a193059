import type { ContextAction, ContextItem, NextContext } from '../../../shared/contract/context';

/** Which items are listed. */
export type LensFilter = 'all' | 'messages' | 'results' | 'pinned' | 'changed';

export const FILTERS: readonly { value: LensFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'messages', label: 'Messages' },
  { value: 'results', label: 'Results' },
  { value: 'pinned', label: 'Pinned' },
  { value: 'changed', label: 'Shortened' },
];

const FITS: Record<LensFilter, (item: ContextItem) => boolean> = {
  all: () => true,
  messages: ({ kind }) => kind === 'user' || kind === 'assistant' || kind === 'note',
  results: ({ kind }) => kind === 'result',
  pinned: ({ state }) => state === 'pinned',
  changed: ({ state }) => state !== 'whole' && state !== 'pinned',
};

/** Items of a filter whose title holds all words of the query, in their order. */
export function filterItems(items: readonly ContextItem[], filter: LensFilter, query: string): ContextItem[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return items.filter((item) => {
    const title = item.title.toLowerCase();
    return FITS[filter](item) && words.every((word) => title.includes(word));
  });
}

/** One stretch of the bar over everything. */
export interface Stretch {
  readonly kind: 'parts' | 'tools' | 'summary' | 'user' | 'assistant' | 'result';
  readonly label: string;
  readonly tokens: number;
  /** Of the window, 0–100. */
  readonly percent: number;
}

const GROUPS: readonly { kind: Stretch['kind']; label: string; kinds: readonly ContextItem['kind'][] }[] = [
  { kind: 'parts', label: 'Instructions and rules', kinds: ['part'] },
  { kind: 'tools', label: 'Tools', kinds: ['tools'] },
  { kind: 'summary', label: 'Summary', kinds: ['summary'] },
  { kind: 'user', label: 'Your messages', kinds: ['user', 'note'] },
  { kind: 'assistant', label: 'Answers', kinds: ['assistant'] },
  { kind: 'result', label: 'Tool results', kinds: ['result'] },
];

/** What fills the window, by kind; kinds without tokens are left out. */
export function stretches({ items, window }: Pick<NextContext, 'items' | 'window'>): Stretch[] {
  return GROUPS.map(({ kind, label, kinds }) => {
    const tokens = items.reduce((sum, item) => (kinds.includes(item.kind) ? sum + item.tokens : sum), 0);
    return { kind, label, tokens, percent: window > 0 ? Math.min(100, (tokens / window) * 100) : 0 };
  }).filter(({ tokens }) => tokens > 0);
}

/** Widths of an item's two bars, 0–100: what is sent, and what it would be whole. */
export function barOf(item: ContextItem, largest: number): { sent: number; whole: number } {
  const width = (tokens: number): number =>
    largest > 0 ? Math.max(tokens > 0 ? 1 : 0, (tokens / largest) * 100) : 0;
  return { sent: width(item.tokens), whole: width(item.fullTokens) };
}

export const STATE_SIGNS: Readonly<Record<ContextItem['state'], { icon: string; label: string } | null>> = {
  whole: null,
  pinned: { icon: 'pinned', label: 'Pinned' },
  shrunk: { icon: 'fold', label: 'Shortened' },
  stub: { icon: 'dash', label: 'One line' },
  evicted: { icon: 'circle-slash', label: 'Taken out' },
  summarised: { icon: 'archive', label: 'In the summary' },
};

export const ACTIONS: Readonly<Record<ContextAction, { label: string; key: string; icon: string }>> = {
  pin: { label: 'Pin', key: 'P', icon: 'pin' },
  unpin: { label: 'Unpin', key: 'P', icon: 'pinned' },
  collapse: { label: 'Shorten', key: 'S', icon: 'fold' },
  evict: { label: 'Take out', key: 'X', icon: 'circle-slash' },
  restore: { label: 'Restore', key: 'R', icon: 'discard' },
};

/** The action that a key does to an item, among those it allows. */
export function actionForKey(key: string, item: ContextItem): ContextAction | null {
  return item.actions.find((action) => ACTIONS[action].key.toLowerCase() === key.toLowerCase()) ?? null;
}

/** Where a key of the list leads to; null for others. */
export function nextIndex(key: string, current: number, count: number): number | null {
  if (count === 0) return null;
  const page = 12;
  const moves: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  };
  const wanted = moves[key];
  return wanted === undefined ? null : Math.min(count - 1, Math.max(0, wanted));
}

export const KIND_WORDS: Readonly<Record<ContextItem['kind'], string>> = {
  part: 'System',
  tools: 'Tools',
  summary: 'Summary',
  user: 'You',
  note: 'Note',
  assistant: 'Model',
  result: 'Result',
};
