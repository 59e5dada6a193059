import { reduceSession } from './reduce-session';
import { type ItemView, type SessionView } from './session-view';
import type { TurnEvent } from './turn-event';

/** Joins neighbouring deltas of one message: a frame's worth of tokens then costs one copy of the item list, not many. */
export function mergeDeltas(events: readonly TurnEvent[]): TurnEvent[] {
  const merged: TurnEvent[] = [];
  for (const event of events) {
    const joined = joinDelta(merged.at(-1), event);
    if (joined) merged[merged.length - 1] = joined;
    else merged.push(event);
  }
  return merged;
}

function joinDelta(last: TurnEvent | undefined, event: TurnEvent): TurnEvent | null {
  if (last?.type === 'text.delta' && event.type === 'text.delta' && last.messageId === event.messageId) {
    return { ...event, text: last.text + event.text };
  }
  if (
    last?.type === 'reasoning.delta' &&
    event.type === 'reasoning.delta' &&
    last.messageId === event.messageId
  ) {
    return { ...event, text: last.text + event.text };
  }
  return null;
}

/**
 * Adds a batch of events in order; the same result as {@link reduceSession} one by one, at the cost of one event per
 * run of deltas. Events at or below `view.seq` are ignored.
 */
export function reduceEvents(view: SessionView, events: readonly TurnEvent[]): SessionView {
  return mergeDeltas(events.filter((event) => event.seq > view.seq)).reduce(reduceSession, view);
}

/**
 * Forgets the oldest items so that about `keep` stay: the window of a long session. The cut falls at the start of a
 * turn where one lies within `keep` items before, so that a turn keeps its question. What was cut is counted in
 * `olderItems`; the same value comes back when there is nothing to cut.
 */
export function windowItems(view: SessionView, keep: number): SessionView {
  const exact = view.items.length - keep;
  if (exact <= 0) return view;
  let from = exact;
  while (from > Math.max(0, exact - keep) && !startsTurn(view.items[from])) from -= 1;
  if (!startsTurn(view.items[from]) && from > 0) from = exact;
  if (from === 0) return view;
  return { ...view, items: view.items.slice(from), olderItems: view.olderItems + from };
}

const startsTurn = (item: ItemView | undefined): boolean => item?.kind === 'user' && !item.interjection;
