import type { ModelMessage } from '../model/port';
import type { EventStore } from '../store/types';
import type { History, NewMessage } from '../turn/turn-types';

/** The messages of one session in memory. The event log stores what `append` returns, in the same transaction as its events. */
export class SessionHistory implements History {
  private readonly list: ModelMessage[];

  private constructor(
    stored: readonly { message: ModelMessage }[],
    private readonly newId: () => string,
  ) {
    this.list = stored.map((row) => row.message);
  }

  static load(sessionId: string, store: EventStore, newId: () => string): SessionHistory {
    return new SessionHistory(store.messages(sessionId).messages, newId);
  }

  get messages(): readonly ModelMessage[] {
    return this.list;
  }

  /** Takes in what another process added behind what is known here. */
  catchUp(store: EventStore, sessionId: string): void {
    const stored = store.messages(sessionId).messages;
    this.list.push(...stored.slice(this.list.length).map((row) => row.message));
  }

  /** Forgets what was appended after there were `length` messages: it was not stored. */
  takeBack(length: number): void {
    this.list.splice(length);
  }

  append(message: ModelMessage, id: string = this.newId()): NewMessage {
    this.list.push(message);
    return { id, message };
  }
}
