import { FELL_BEHIND } from '../../shared/contract/frames';
import { AppError, type ErrorShape } from '../../shared/error';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox';
import type { Router } from './router';

/** Open subscriptions per client; a window uses about a dozen and one per open session and terminal. */
export const MAX_SUBSCRIPTIONS = 256;

/** What a host passes on to the client under the client's own subscription id. */
export type SubscriptionFrame =
  { kind: 'message'; id: number; payload: unknown } | { kind: 'end'; id: number; error?: ErrorShape };

export interface SubscriptionsOptions {
  router: Router;
  clientId: string;
  /** Must not throw; called in order. */
  deliver: (frame: SubscriptionFrame) => void;
  limits?: Pick<OutboxOptions, 'window' | 'maxWaiting'>;
}

export interface Subscriptions {
  /** Starts a stream. Anything wrong with it comes back as an `end` frame. */
  open(id: number, channel: string, params: unknown): void;
  /** The client is done with `count` more messages. */
  acknowledge(id: number, count: number): void;
  close(id: number): void;
  /** The client is gone: aborts every stream. */
  closeAll(): void;
}

interface Open {
  outbox: Outbox;
  abort: AbortController;
}

const slowClient = (channel: string) =>
  new AppError('busy', `This window fell too far behind ${channel}.`, {
    hint: 'It is subscribed again by itself.',
    audience: 'log',
    detail: { reason: FELL_BEHIND, channel },
  }).toShape();

const tooMany = () =>
  new AppError('busy', `A window can hold ${MAX_SUBSCRIPTIONS} subscriptions at most.`, {
    hint: 'Reload the window.',
  }).toShape();

/**
 * The streams of one client, each with its own window of unacknowledged messages. A stream stays open after its handler
 * returned (it may have attached a listener) until the client closes it, goes away, or the handler throws.
 */
export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const open = new Map<number, Open>();

  const stop = (id: number): boolean => {
    const entry = open.get(id);
    if (!entry) return false;
    open.delete(id);
    entry.outbox.close();
    entry.abort.abort();
    return true;
  };
  const end = (id: number, error?: ErrorShape) => {
    if (stop(id)) options.deliver({ kind: 'end', id, ...(error ? { error } : {}) });
  };
  const refuse = (id: number, error: ErrorShape) => options.deliver({ kind: 'end', id, error });

  const start = async (id: number, channel: string, params: unknown) => {
    const abort = new AbortController();
    const outbox = createOutbox({
      ...options.limits,
      deliver: (payload) => options.deliver({ kind: 'message', id, payload }),
      onOverflow: () => end(id, slowClient(channel)),
    });
    open.set(id, { outbox, abort });
    try {
      const stream = options.router.open(channel, params);
      const send = (message: unknown) => outbox.send(message);
      await stream(send, { clientId: options.clientId, signal: abort.signal });
    } catch (error) {
      if (!abort.signal.aborted) end(id, options.router.failure(channel, error));
    }
  };

  return {
    open: (id, channel, params) => {
      if (open.has(id)) return;
      if (open.size >= MAX_SUBSCRIPTIONS) return refuse(id, tooMany());
      void start(id, channel, params);
    },
    acknowledge: (id, count) => open.get(id)?.outbox.acknowledge(count),
    close: (id) => void stop(id),
    closeAll: () => {
      for (const id of [...open.keys()]) stop(id);
    },
  };
}
