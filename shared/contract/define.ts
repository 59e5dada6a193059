import { z } from 'zod';
import type { Schema } from '../schema';

/** One call a client can make: what goes in and what comes out, both checked on the host's side. */
export interface RequestSpec<I extends Schema = Schema, O extends Schema = Schema> {
  readonly kind: 'request';
  readonly input: I;
  readonly output: O;
}

/** One stream a client can subscribe to with `params`; every message is a `payload`. */
export interface EventSpec<P extends Schema = Schema, M extends Schema = Schema> {
  readonly kind: 'event';
  readonly params: P;
  readonly payload: M;
}

export type DomainSpec = Record<string, RequestSpec | EventSpec>;

export interface Domain<N extends string = string, S extends DomainSpec = DomainSpec> {
  readonly name: N;
  readonly spec: S;
}

export const request = <I extends Schema, O extends Schema>(spec: {
  input: I;
  output: O;
}): RequestSpec<I, O> => ({ kind: 'request', ...spec });

export const event = <P extends Schema, M extends Schema>(spec: {
  params: P;
  payload: M;
}): EventSpec<P, M> => ({
  kind: 'event',
  ...spec,
});

export const domain = <N extends string, S extends DomainSpec>(name: N, spec: S): Domain<N, S> => ({
  name,
  spec,
});

/** Nothing in or nothing out; `null` on the wire, so that JSON keeps it. */
export const Nothing = z.null();
export type Nothing = null;

type RequestKeys<S extends DomainSpec> = { [K in keyof S]: S[K] extends RequestSpec ? K : never }[keyof S];
type EventKeys<S extends DomainSpec> = { [K in keyof S]: S[K] extends EventSpec ? K : never }[keyof S];

/** What a renderer calls: `client.session.list({...})`, `client.session.events.subscribe(params, onMessage)`. */
export type ClientOf<D extends Domain> = {
  readonly [K in RequestKeys<D['spec']>]: D['spec'][K] extends RequestSpec<infer I, infer O>
    ? (input: z.input<I>) => Promise<z.output<O>>
    : never;
} & {
  readonly [K in EventKeys<D['spec']>]: D['spec'][K] extends EventSpec<infer P, infer M>
    ? { subscribe(params: z.input<P>, onMessage: (message: z.output<M>) => void): () => void }
    : never;
};

/** The part of AbortSignal that handlers need; shared code has neither Node's nor the browser's globals. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Who calls: one per connected window or socket. */
export interface CallContext {
  readonly clientId: string;
  readonly signal: CancelSignal;
}

/**
 * What a host-neutral handler module implements. A subscription gets `send` and must stop when `signal` fires.
 * `send` returns a promise that settles when the client has room for more (back-pressure); small streams ignore it.
 */
export type HandlersOf<D extends Domain> = {
  readonly [K in RequestKeys<D['spec']>]: D['spec'][K] extends RequestSpec<infer I, infer O>
    ? (input: z.output<I>, context: CallContext) => Promise<z.input<O>> | z.input<O>
    : never;
} & {
  readonly [K in EventKeys<D['spec']>]: D['spec'][K] extends EventSpec<infer P, infer M>
    ? (
        params: z.output<P>,
        send: (message: z.input<M>) => Promise<void>,
        context: CallContext,
      ) => Promise<void> | void
    : never;
};
