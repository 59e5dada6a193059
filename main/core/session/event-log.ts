import type { TurnEvent, TurnEventPayload } from '../../../shared/model/turn-event';
import { DELTA_BATCH_MS } from '../limits';
import type { EventStore } from '../store/types';
import type { NewMessage } from '../turn/turn-types';

type Listener = (events: readonly TurnEvent[]) => void;

/** Events and messages as they are handed to {@link EventLog.append}. */
export interface LogInput {
  turn: string;
  payloads: TurnEventPayload[];
  messages: NewMessage[];
  /** Stored at once or not at all. */
  whole?: boolean;
  deferrable?: boolean;
}

/** Keeps a recording in step with the log, or gives the log the times of one that is replayed. */
export interface LogTape {
  /** Called for everything appended, before anything is stored. */
  input(input: LogInput): void;
  /** The last input was not taken after all. */
  withdraw(): void;
  /** Events are about to be stored: their time, and the text to store with them. */
  storing(timer: boolean): { at: number; text: string; done(): void; failed(): void };
  /** False when batches end only where the recording says so. */
  readonly timers: boolean;
}

/** No recording: the clock and nothing else. */
export const NO_TAPE: LogTape = {
  input: () => undefined,
  withdraw: () => undefined,
  storing: () => ({ at: Date.now(), text: '', done: () => undefined, failed: () => undefined }),
  timers: true,
};

/**
 * Events that may wait a moment: losing the last few of them in a crash loses nothing that an effect hangs on. The end of
 * its call follows a diff at once.
 */
function canWait(payload: TurnEventPayload): boolean {
  switch (payload.type) {
    case 'text.delta':
    case 'reasoning.delta':
    case 'call.output':
    case 'diff':
      return true;
    case 'call.state':
      return payload.state === 'validating';
    case 'step.started':
    case 'step.finished':
      return true;
    default:
      return false;
  }
}

/** Joins a delta with the one before it when both belong to the same message or call; null when they don't. */
function join(last: TurnEventPayload | undefined, next: TurnEventPayload): TurnEventPayload | null {
  if (!last) return null;
  if (
    (last.type === 'text.delta' && next.type === 'text.delta') ||
    (last.type === 'reasoning.delta' && next.type === 'reasoning.delta')
  ) {
    return last.messageId === next.messageId ? { ...last, text: last.text + next.text } : null;
  }
  if (last.type === 'call.output' && next.type === 'call.output') {
    const same = last.callId === next.callId && last.stream === next.stream;
    return same ? { ...last, text: last.text + next.text } : null;
  }
  return null;
}

/**
 * The event log of one session: gives events their order, stores them, then tells the listeners. What a listener has
 * seen is always in the store. Deltas and other harmless events are collected for up to {@link DELTA_BATCH_MS} ms and
 * stored together; an event that an effect depends on takes all waiting ones with it and is durable when `append`
 * returns.
 */
export class EventLog {
  private pending: TurnEventPayload[] = [];
  private pendingMessages: NewMessage[] = [];
  private pendingTurn = '';
  private timer: NodeJS.Timeout | null = null;
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly sessionId: string,
    private readonly store: EventStore,
    private readonly onFlushError: (error: unknown) => void,
    private readonly tape: LogTape = NO_TAPE,
  ) {}

  /**
   * @param deferrable nothing outside depends on these events yet: they may wait like deltas do
   * @throws AppError `disk_full`, `io_failed` – nothing of this call is stored or shown then, but all of it is kept:
   *   call {@link flush} again once there is room
   */
  append(
    turnId: string,
    payloads: readonly TurnEventPayload[],
    messages: readonly NewMessage[] = [],
    deferrable = false,
  ): void {
    this.tape.input({
      ...{ turn: turnId, payloads: [...payloads], messages: [...messages] },
      ...(deferrable ? { deferrable } : {}),
    });
    if (this.pendingTurn !== turnId) this.flush();
    this.pendingTurn = turnId;
    for (const payload of payloads) this.add(payload);
    this.pendingMessages.push(...messages);
    if (deferrable || (messages.length === 0 && payloads.every(canWait))) {
      if (this.tape.timers) this.timer ??= setTimeout(() => this.flushLater(), DELTA_BATCH_MS);
      return;
    }
    this.flush();
  }

  /**
   * Stores and publishes at once, or not at all: unlike {@link append} it keeps nothing when it fails.
   *
   * @throws AppError as `append`
   */
  appendWhole(turnId: string, payloads: readonly TurnEventPayload[], messages: readonly NewMessage[]): void {
    this.flush();
    const input = { turn: turnId, payloads: [...payloads], messages: [...messages], whole: true };
    this.tape.input(input);
    try {
      this.publish(this.write(input, false));
    } catch (error) {
      this.tape.withdraw();
      throw error;
    }
  }

  /** True while something waits to be stored. */
  get waiting(): boolean {
    return this.pending.length > 0 || this.pendingMessages.length > 0;
  }

  /** Tells the listeners of events that are stored: those of another process come in this way too. */
  publish(events: readonly TurnEvent[]): void {
    if (events.length > 0) for (const listener of this.listeners) listener(events);
  }

  /**
   * Stores and publishes what waits.
   *
   * @param timer true when nothing but the passing of time asks for it
   */
  flush(timer = false): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (!this.waiting) return;
    const input = { turn: this.pendingTurn, payloads: this.pending, messages: this.pendingMessages };
    const events = this.write(input, timer);
    this.pending = [];
    this.pendingMessages = [];
    this.publish(events);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private add(payload: TurnEventPayload): void {
    const joined = join(this.pending.at(-1), payload);
    if (joined) this.pending[this.pending.length - 1] = joined;
    else this.pending.push(payload);
  }

  private write({ turn, payloads, messages }: LogInput, timer: boolean): TurnEvent[] {
    const { at, text, done, failed } = this.tape.storing(timer);
    try {
      const events = this.store.append(this.sessionId, turn, payloads, messages, { at, tape: text });
      done();
      return events;
    } catch (error) {
      failed();
      throw error;
    }
  }

  private flushLater(): void {
    this.timer = null;
    try {
      this.flush(true);
    } catch (error) {
      this.onFlushError(error);
    }
  }
}
