import { z } from 'zod';
import { EnvelopeSchema, ErrorShape } from '../error';

/**
 * Messages of one subscription that may be on their way or undrawn at a time. Small enough that a stalled window holds
 * little, large enough that a round trip on loopback never idles the sender.
 */
export const SUBSCRIPTION_WINDOW = 32;

/** A client acknowledges after this many messages: a fraction of the window, so that credit never runs out in step. */
export const ACKNOWLEDGE_EVERY = 8;

/** Largest single frame either side takes, in bytes: a 20 MB file as JSON with escapes. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;

const Id = z.int().min(1);
const Channel = z.string().min(1).max(100);

/** What a client sends over the socket, one JSON text per message. */
export const ClientFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('req'), id: Id, channel: Channel, input: z.unknown() }),
  z.object({ type: z.literal('sub'), id: Id, channel: Channel, params: z.unknown() }),
  z.object({ type: z.literal('ack'), id: Id, count: z.int().min(1) }),
  z.object({ type: z.literal('unsub'), id: Id }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** What a host sends. Ids are the client's own; `end` closes a subscription, with the reason when it failed. */
export const HostFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('res'), id: Id, envelope: EnvelopeSchema }),
  z.object({ type: z.literal('evt'), id: Id, payload: z.unknown() }),
  z.object({ type: z.literal('end'), id: Id, error: ErrorShape.optional() }),
]);
export type HostFrame = z.infer<typeof HostFrame>;

/** What the preload's bridge hands to a subscriber. */
export const BridgeFrame = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), payload: z.unknown() }),
  z.object({ kind: z.literal('end'), error: ErrorShape.optional() }),
]);
export type BridgeFrame = z.infer<typeof BridgeFrame>;

/**
 * `detail.reason` of an `end` whose client fell too far behind: nothing is wrong, a new subscription starts with a
 * fresh snapshot.
 */
export const FELL_BEHIND = 'fell_behind';

export const fellBehind = (error: ErrorShape | undefined): boolean =>
  error?.detail?.['reason'] === FELL_BEHIND;
