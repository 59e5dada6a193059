import type { SessionId } from '../../../shared/model/ids';
import { reduceSession } from '../../../shared/model/reduce-session';
import { reduceEvents, windowItems } from '../../../shared/model/session-batch';
import { emptySessionView, type ItemView, type SessionView } from '../../../shared/model/session-view';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { AppError } from '../../../shared/error';
import type { Store } from '../store/types';
import type { ViewAnchor } from '../store/window-store';

/** Above this many items the oldest are let go, down to about {@link KEPT_ITEMS}: memory does not grow with a session. */
const MAX_ITEMS = 320;
const KEPT_ITEMS = 160;
/** Items that are stored with the view: opening a session reads these and what came after them. */
const STORED_ITEMS = 80;
/** How many events are read at once when a part of a view is rebuilt. */
const BATCH = 2_000;
const FIRST_BATCH = 50;

type WindowStores = Pick<Store, 'events' | 'windows'>;

/** Lets the oldest items go, but none of the running turn: its calls still change. */
function trimmed(view: SessionView, keep: number): SessionView {
  const live = view.live;
  const first = live ? view.items.findIndex((item) => item.turnId === live.turnId) : -1;
  return windowItems(view, Math.max(keep, first < 0 ? 0 : view.items.length - first));
}

const total = (view: SessionView): number => view.olderItems + view.items.length;

/** Where the turns of a whole view begin: stores from before there were anchors have the whole view instead. */
const anchorsIn = (view: SessionView): ViewAnchor[] =>
  view.items.flatMap((item, index) =>
    item.kind === 'user' && !item.interjection
      ? [{ seq: Number(item.key.slice(1)), items: view.olderItems + index }]
      : [],
  );

/** The newest items of a session's view in memory; all others are rebuilt from their events when somebody asks. */
export class SessionWindow {
  private current: SessionView;
  private anchors: ViewAnchor[] = [];
  /** True when loading took so long that the result is worth keeping. */
  readonly costly: boolean;

  constructor(
    private readonly id: SessionId,
    private readonly store: WindowStores,
  ) {
    this.current = store.events.loadView(id) ?? emptySessionView();
    const isWhole = this.current.olderItems === 0 && this.current.items.length > 0;
    const isOld = isWhole && store.windows.anchorBefore(id, Number.MAX_SAFE_INTEGER) === null;
    if (isOld) this.anchors = anchorsIn(this.current);
    const before = this.current.seq;
    this.readOn();
    this.costly = isOld || this.current.seq - before > BATCH;
  }

  get view(): SessionView {
    return this.current;
  }

  /** Takes events in, in order. */
  add(events: readonly TurnEvent[]): void {
    this.reduce(events);
    this.refill();
  }

  /** Keeps the newest items and where the turns begin. */
  save(): void {
    this.store.windows.save(this.id, trimmed(this.current, STORED_ITEMS), this.anchors);
    this.anchors = [];
  }

  /**
   * Up to `limit` items before item number `before`, with the rest of the view as it is now.
   *
   * @throws AppError `bad_argument` when the session has fewer items
   */
  older(before: number, limit: number): SessionView {
    if (before > total(this.current))
      throw new AppError('bad_argument', 'There are no items after this place.');
    const start = Math.max(0, before - limit);
    const { olderItems, items } = this.current;
    const stored = start < olderItems ? this.itemsBetween(start, Math.min(before, olderItems)) : [];
    const inMemory = items.slice(Math.max(0, start - olderItems), Math.max(0, before - olderItems));
    return { ...this.current, items: [...stored, ...inMemory], olderItems: start };
  }

  /** The number of the item that shows a message; null when none does. */
  indexOf(messageId: string, turnStart: number): number | null {
    const at = this.current.items.findIndex((item) => 'messageId' in item && item.messageId === messageId);
    if (at >= 0) return this.current.olderItems + at;
    const anchor = this.store.windows.anchorAt(this.id, turnStart) ?? { seq: 0, items: 0 };
    let view: SessionView = { ...emptySessionView(), olderItems: anchor.items };
    // What is looked for lies in this turn, most often near its beginning.
    for (let from = anchor.seq, batch = FIRST_BATCH; ; batch = Math.min(BATCH, batch * 2)) {
      const events = this.store.windows.active(this.id, from, this.current.seq + 1, batch);
      view = reduceEvents(view, events);
      const found = view.items.findIndex((item) => 'messageId' in item && item.messageId === messageId);
      if (found >= 0) return anchor.items + found;
      const last = events.at(-1);
      if (!last || last.seq < from) return null;
      from = last.seq + 1;
    }
  }

  private readOn(): void {
    for (;;) {
      const { events } = this.store.events.after(this.id, this.current.seq, BATCH);
      if (events.length === 0) break;
      this.reduce(events);
    }
    this.refill();
  }

  private reduce(events: readonly TurnEvent[]): void {
    for (const event of events) {
      if (event.type === 'turn.started') this.anchors.push({ seq: event.seq, items: total(this.current) });
      if (event.type === 'session.rewound')
        this.anchors = this.anchors.filter(({ seq }) => seq < event.toSeq);
      this.current = reduceSession(this.current, event);
      if (this.current.items.length > MAX_ITEMS) this.current = trimmed(this.current, KEPT_ITEMS);
    }
  }

  /** After a rewind the newest items that remain may be among those let go. */
  private refill(): void {
    const { olderItems, items } = this.current;
    if (olderItems === 0 || items.length >= STORED_ITEMS) return;
    const start = Math.max(0, olderItems - KEPT_ITEMS);
    this.current = {
      ...this.current,
      items: [...this.itemsBetween(start, olderItems), ...items],
      olderItems: start,
    };
  }

  /** Rebuilds items from the turn that holds the first one to the turn that holds the last one. */
  private itemsBetween(start: number, end: number): ItemView[] {
    const { windows } = this.store;
    const first = windows.anchorBefore(this.id, start) ?? { seq: 0, items: 0 };
    const until = windows.anchorAfter(this.id, end)?.seq ?? this.current.seq + 1;
    let view = emptySessionView();
    for (let from = first.seq; from < until;) {
      const events = windows.active(this.id, from, until, BATCH);
      view = reduceEvents(view, events);
      const last = events.at(-1);
      if (!last) break;
      from = last.seq + 1;
    }
    view = reduceEvents(view, windows.late(this.id, until));
    return view.items.slice(start - first.items, end - first.items);
  }
}
