import { SUBSCRIPTION_WINDOW } from '../../shared/contract/frames';

/** Messages that may wait behind a full window before a client counts as too slow. */
export const MAX_WAITING_MESSAGES = 1024;

interface Waiting {
  message: unknown;
  settle: () => void;
}

export interface Outbox {
  /**
   * Delivers at once while the client has credit, else when it acknowledges. Settles on delivery; a sender that awaits
   * it is slowed to the client's pace. Settles at once after `close`.
   */
  send(message: unknown): Promise<void>;
  acknowledge(count: number): void;
  close(): void;
}

export interface OutboxOptions {
  deliver: (message: unknown) => void;
  /** The client lags so far behind a sender that doesn't wait that its messages would fill memory. */
  onOverflow: () => void;
  window?: number;
  maxWaiting?: number;
}

/** Credit-based flow control of one subscription: at most `window` messages are unacknowledged. */
export function createOutbox(options: OutboxOptions): Outbox {
  const window = options.window ?? SUBSCRIPTION_WINDOW;
  const maxWaiting = options.maxWaiting ?? MAX_WAITING_MESSAGES;
  const waiting: Waiting[] = [];
  let unacknowledged = 0;
  let closed = false;

  const close = () => {
    closed = true;
    for (const entry of waiting.splice(0)) entry.settle();
  };
  const deliver = (message: unknown) => {
    unacknowledged += 1;
    options.deliver(message);
  };
  const drain = () => {
    while (!closed && unacknowledged < window) {
      const next = waiting.shift();
      if (!next) return;
      deliver(next.message);
      next.settle();
    }
  };
  const send = (message: unknown): Promise<void> => {
    if (closed) return Promise.resolve();
    if (unacknowledged < window && waiting.length === 0) {
      deliver(message);
      return Promise.resolve();
    }
    if (waiting.length >= maxWaiting) {
      close();
      options.onOverflow();
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push({ message, settle: resolve }));
  };
  const acknowledge = (count: number) => {
    unacknowledged = Math.max(0, unacknowledged - count);
    drain();
  };
  return { send, acknowledge, close };
}
