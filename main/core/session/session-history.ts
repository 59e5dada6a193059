import type { ContextEntry } from '../context/entry';
import type { ModelMessage } from '../model/port';
import type { EventStore } from '../store/types';
import type { History, NewMessage } from '../turn/turn-types';

/** Messages that are read at once while nobody waits for them: short enough for a smooth window. */
const WARM_MESSAGES = 20;

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The messages of one session in memory, read from the store when they are first needed. The event log stores what
 * `append` returns, in the same transaction as its events.
 */
export class SessionHistory implements History {
  private list: ModelMessage[] = [];
  private withIds: ContextEntry[] = [];
  /** Position of the last message that was read from the store. */
  private readTo = 0;
  private complete = false;
  /** Counts how often everything was forgotten. */
  private round = 0;

  private constructor(
    private readonly sessionId: string,
    private readonly store: EventStore,
    private readonly newId: () => string,
  ) {}

  static load(sessionId: string, store: EventStore, newId: () => string): SessionHistory {
    return new SessionHistory(sessionId, store, newId);
  }

  get messages(): readonly ModelMessage[] {
    this.readAll();
    return this.list;
  }

  get entries(): readonly ContextEntry[] {
    this.readAll();
    return this.withIds;
  }

  /**
   * Reads everything in small steps, so that the first message of a long session need not wait for it.
   *
   * @param look is given each message once: what is worked out about it then is at hand later
   */
  async warm(look: (message: ModelMessage) => void): Promise<void> {
    const { round } = this;
    while (!this.complete && round === this.round) {
      const known = this.list.length;
      this.read(WARM_MESSAGES);
      for (const message of this.list.slice(known)) look(message);
      await nextTick();
    }
  }

  /** Forgets everything; it is read again when it is needed. Nothing may wait to be stored. */
  release(): void {
    this.list = [];
    this.withIds = [];
    this.readTo = 0;
    this.complete = false;
    this.round += 1;
  }

  /** Takes in what another process added behind what is known here. */
  catchUp(positionOf: (messageId: string) => number | null): void {
    if (!this.complete) return;
    const last = this.withIds.at(-1);
    const position = last ? positionOf(last.id) : 0;
    if (position === null) this.release();
    else {
      this.readTo = position;
      this.complete = false;
      this.readAll();
    }
  }

  /** Forgets what was appended after there were `length` messages: it was not stored. */
  takeBack(length: number): void {
    this.list.splice(length);
    this.withIds.splice(length);
  }

  append(message: ModelMessage, id: string = this.newId()): NewMessage {
    this.readAll();
    this.push(id, message);
    return { id, message };
  }

  private readAll(): void {
    while (!this.complete) this.read(-1);
  }

  private read(limit: number): void {
    const { messages, unreadable } = this.store.messages(this.sessionId, this.readTo, limit);
    for (const { id, message } of messages) this.push(id, message);
    this.readTo = messages.at(-1)?.position ?? this.readTo;
    this.complete = limit < 0 || messages.length + unreadable < limit;
    // Only unreadable messages in this step: what comes after them is read at once.
    if (!this.complete && messages.length === 0) this.read(-1);
  }

  private push(id: string, message: ModelMessage): void {
    this.list.push(message);
    this.withIds.push({ id, message });
  }
}
