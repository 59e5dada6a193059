import type { ItemView, SessionView } from '../../shared/model/session-view';

/** A part of a session that does not reach its end: what is shown around a message that was searched for. */
export interface PastWindow {
  readonly items: readonly ItemView[];
  /** Items before the first one and after the last one. */
  readonly olderItems: number;
  readonly newerItems: number;
}

/** What a session has, without what a window of it holds. */
const totalOf = (view: Pick<SessionView, 'items' | 'olderItems'>): number =>
  view.olderItems + view.items.length;

/** The part that the host gave, as a window; `total` is what the session has now. */
export function pastWindow(part: Pick<SessionView, 'items' | 'olderItems'>, total: number): PastWindow {
  const end = totalOf(part);
  return { items: part.items, olderItems: part.olderItems, newerItems: Math.max(0, total - end) };
}

/** With older items put before. */
export const withOlder = (
  past: PastWindow,
  older: Pick<SessionView, 'items' | 'olderItems'>,
): PastWindow => ({
  ...past,
  items: [...older.items, ...past.items],
  olderItems: older.olderItems,
});

/** With newer items put behind. */
export function withNewer(past: PastWindow, newer: readonly ItemView[], total: number): PastWindow {
  const items = [...past.items, ...newer];
  return { ...past, items, newerItems: Math.max(0, total - past.olderItems - items.length) };
}

/** The window and the newest items as one, once they meet; null while something lies between them. */
export function joined<V extends Pick<SessionView, 'items' | 'olderItems'>>(
  past: PastWindow,
  live: V,
): V | null {
  const end = past.olderItems + past.items.length;
  if (end < live.olderItems) return null;
  const rest = live.items.slice(end - live.olderItems);
  return { ...live, items: [...past.items, ...rest], olderItems: past.olderItems };
}
