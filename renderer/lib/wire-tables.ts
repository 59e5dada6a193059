import { ACKNOWLEDGE_EVERY, type ClientFrame, fellBehind } from '../../shared/contract/frames';
import type { Envelope, ErrorShape } from '../../shared/error';

/** Sends when the connection is open, else does nothing: what matters is sent again after opening. */
type Send = (frame: ClientFrame) => void;

interface Stream {
  readonly channel: string;
  readonly params: unknown;
  readonly onMessage: (payload: unknown) => void;
  unacknowledged: number;
}

export interface StreamTable {
  open(id: number, channel: string, params: unknown, onMessage: (payload: unknown) => void): void;
  close(id: number): void;
  message(id: number, payload: unknown): void;
  ended(id: number, error: ErrorShape | undefined): void;
  /** Subscribes everything again on a new connection. */
  reopen(): void;
}

/** The streams of one window: who gets the messages, and how many of them are not yet acknowledged. */
export function createStreamTable(
  send: Send,
  onFailure: (channel: string, message: string) => void,
): StreamTable {
  const streams = new Map<number, Stream>();
  const begin = (id: number, stream: Stream) => {
    streams.set(id, stream);
    stream.unacknowledged = 0;
    send({ type: 'sub', id, channel: stream.channel, params: stream.params });
  };
  const acknowledge = (id: number, stream: Stream) => {
    if (stream.unacknowledged < ACKNOWLEDGE_EVERY) return;
    send({ type: 'ack', id, count: stream.unacknowledged });
    stream.unacknowledged = 0;
  };
  return {
    open: (id, channel, params, onMessage) => begin(id, { channel, params, onMessage, unacknowledged: 0 }),
    close: (id) => {
      if (streams.delete(id)) send({ type: 'unsub', id });
    },
    message: (id, payload) => {
      const stream = streams.get(id);
      if (!stream) return;
      stream.unacknowledged += 1;
      try {
        stream.onMessage(payload);
      } finally {
        // Also when a pane failed on it: one broken pane must not stall its stream.
        if (streams.has(id)) acknowledge(id, stream);
      }
    },
    ended: (id, error) => {
      const stream = streams.get(id);
      if (!stream) return;
      streams.delete(id);
      if (fellBehind(error)) begin(id, stream);
      else if (error) onFailure(stream.channel, error.message);
    },
    reopen: () => {
      for (const [id, stream] of streams) begin(id, stream);
    },
  };
}

export interface RequestTable {
  add(id: number, frame: ClientFrame): Promise<Envelope>;
  settle(id: number, envelope: Envelope): void;
  /** Answers everything that waits, for example because the connection is lost. */
  settleAll(envelope: Envelope): void;
  /** Sends what was asked before the first connection stood. */
  flush(): void;
}

/** Requests under way. They are kept until answered; after a loss they are failed, never sent twice. */
export function createRequestTable(send: Send): RequestTable {
  const waiting = new Map<number, { frame: ClientFrame; settle: (envelope: Envelope) => void }>();
  const settle = (id: number, envelope: Envelope) => {
    const entry = waiting.get(id);
    waiting.delete(id);
    entry?.settle(envelope);
  };
  return {
    settle,
    add: (id, frame) =>
      new Promise((resolve) => {
        waiting.set(id, { frame, settle: resolve });
        send(frame);
      }),
    settleAll: (envelope) => {
      for (const id of [...waiting.keys()]) settle(id, envelope);
    },
    flush: () => {
      for (const { frame } of waiting.values()) send(frame);
    },
  };
}
