import type { z } from 'zod';
import type { terminal } from '../../../shared/contract/terminal';

export type OutputMessage = z.input<(typeof terminal)['spec']['output']['payload']>;
export type SendOutput = (message: OutputMessage) => unknown;

/** A program is held up when a window has this many characters not drawn yet … */
const HIGH_WATER_CHARS = 100_000;
/** … and goes on when it has fewer than this (case-X03). */
const LOW_WATER_CHARS = 5_000;

interface Listener {
  send: SendOutput;
  clientId: string;
  undrawn: number;
}

/**
 * The windows that show one terminal, each with what it has not drawn yet. The slowest sets the pace; without any window
 * nothing holds the program up.
 */
export class Audience {
  readonly #listeners = new Set<Listener>();
  readonly #onPace: (held: boolean) => void;
  #held = false;

  /** @param onPace told to hold the program up, and to let it go on */
  constructor(onPace: (held: boolean) => void) {
    this.#onPace = onPace;
  }

  join(send: SendOutput, clientId: string): () => void {
    const listener = { send, clientId, undrawn: 0 };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      this.#pace();
    };
  }

  tell(message: OutputMessage): void {
    for (const listener of [...this.#listeners]) {
      if (message.kind === 'data') listener.undrawn += message.data.length;
      if (message.kind === 'replay') listener.undrawn = 0;
      listener.send(message);
    }
    this.#pace();
  }

  /** @param clientId null when the caller can't say which window drew: then it counts for all */
  acknowledge(chars: number, clientId: string | null): void {
    for (const listener of this.#listeners) {
      if (clientId !== null && listener.clientId !== clientId) continue;
      listener.undrawn = Math.max(0, listener.undrawn - chars);
    }
    this.#pace();
  }

  #pace(): void {
    const most = Math.max(0, ...[...this.#listeners].map((listener) => listener.undrawn));
    const held = this.#held ? most >= LOW_WATER_CHARS : most > HIGH_WATER_CHARS;
    if (held === this.#held) return;
    this.#held = held;
    this.#onPace(held);
  }

  get held(): boolean {
    return this.#held;
  }
}
