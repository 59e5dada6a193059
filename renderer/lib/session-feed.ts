import type { Client } from '../../shared/contract/contract';
import type { SessionId } from '../../shared/model/ids';
import type { SessionSummary } from '../../shared/model/session';
import type { SessionView } from '../../shared/model/session-view';
import type { TurnEvent } from '../../shared/model/turn-event';

/** A window that is not drawn gets no animation frames; its state must still move on. */
const HIDDEN_FLUSH_MS = 250;

type Frame = Parameters<Parameters<Client['session']['events']['subscribe']>[1]>[0];
/** Runs a task soon, once; the returned function calls it off. */
export type Schedule = (task: () => void) => () => void;

/** At the next animation frame, or after a quarter of a second where none comes. */
export const nextFrame: Schedule = (task) => {
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    cancel();
    task();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, HIDDEN_FLUSH_MS);
  return cancel;
};

export interface FeedListener {
  onSnapshot(view: SessionView, summary: SessionSummary): void;
  /** In order and without a gap, as many as came within one turn of the schedule. */
  onEvents(events: readonly TurnEvent[]): void;
  onSummary(summary: SessionSummary): void;
}

/**
 * What the host tells of one session: a snapshot, then events in one batch a frame. What was told already is left out; a
 * gap asks for a new snapshot. The returned function ends it.
 */
export function feedSession(
  client: Pick<Client, 'session'>,
  id: SessionId,
  schedule: Schedule,
  listener: FeedListener,
): () => void {
  let queue: TurnEvent[] = [];
  /** seq of the newest event that was told or waits; null while a snapshot is due. */
  let seq: number | null = null;
  let cancelFlush: (() => void) | null = null;

  const flush = (): void => {
    cancelFlush = null;
    const events = queue;
    queue = [];
    listener.onEvents(events);
  };
  const dropQueue = (): void => {
    cancelFlush?.();
    cancelFlush = null;
    queue = [];
  };
  const onEvents = (events: readonly TurnEvent[]): void => {
    if (seq === null) return;
    const known = seq;
    const fresh = events.filter((event) => event.seq > known);
    const last = fresh.at(-1);
    if (!last) return;
    if (fresh[0]?.seq !== known + 1) {
      resubscribe();
      return;
    }
    seq = last.seq;
    queue.push(...fresh);
    cancelFlush ??= schedule(flush);
  };
  const onFrame = (frame: Frame): void => {
    if (frame.kind === 'events') onEvents(frame.events);
    else if (frame.kind === 'summary') listener.onSummary(frame.summary);
    else {
      dropQueue();
      seq = frame.view.seq;
      listener.onSnapshot(frame.view, frame.summary);
    }
  };
  let unsubscribe = client.session.events.subscribe({ id }, onFrame);
  const resubscribe = (): void => {
    dropQueue();
    seq = null;
    unsubscribe();
    unsubscribe = client.session.events.subscribe({ id }, onFrame);
  };
  return () => {
    dropQueue();
    unsubscribe();
  };
}
