import './no-eval';
import { type Client, contract } from '../../shared/contract/contract';
import type { Domain } from '../../shared/contract/define';
import { AppError, type Envelope, fromErrorShape } from '../../shared/error';
import type { ConnectionStatus } from './reconnecting-socket';
import type { ReadableStore } from './store';

/** Carries requests and streams to a host. Streams survive reconnects: the first message after one is a fresh snapshot. */
export interface Transport {
  invoke(channel: string, input: unknown): Promise<Envelope>;
  subscribe(channel: string, params: unknown, onMessage: (payload: unknown) => void): () => void;
  readonly status: ReadableStore<ConnectionStatus>;
}

/** A request that has no answer by then has failed: nothing on the wire does long work before it answers. */
const REQUEST_LIMIT_MS = 60_000;

/** Channels that wait for a person or for a remote server; null = as long as it takes. */
const LONG_RUNNING: Readonly<Record<string, number | null>> = {
  'project.pickFolder': null,
  'app.openExternal': null,
  // As long as a model takes to write a summary.
  'session.compact': null,
  'model.check': 180_000,
  'model.refreshModels': 180_000,
  'project.open': 180_000,
  'project.openTour': 180_000,
};

/** The typed API of the host, one member per channel of the contract. Requests reject with AppError. */
export function createClient(transport: Transport): Client {
  const domains = Object.values<Domain>(contract).map(
    (domain) => [domain.name, domainClient(domain, transport)] as const,
  );
  // Built from the very contract that Client is computed from.
  return Object.fromEntries(domains) as unknown as Client;
}

function domainClient(domain: Domain, transport: Transport): Record<string, unknown> {
  const members = Object.entries(domain.spec).map(([name, spec]) => {
    const channel = `${domain.name}.${name}`;
    if (spec.kind === 'request') return [name, (input: unknown) => request(transport, channel, input)];
    const subscribe = (params: unknown, onMessage: (message: unknown) => void) =>
      transport.subscribe(channel, params ?? null, onMessage);
    return [name, { subscribe }];
  });
  return Object.fromEntries(members) as Record<string, unknown>;
}

async function request(transport: Transport, channel: string, input: unknown): Promise<unknown> {
  const envelope = await withLimit(transport.invoke(channel, input ?? null), channel);
  if (envelope.ok) return envelope.value;
  throw fromErrorShape(envelope.error);
}

function withLimit<T>(work: Promise<T>, channel: string): Promise<T> {
  const limitMs = channel in LONG_RUNNING ? LONG_RUNNING[channel] : REQUEST_LIMIT_MS;
  if (limitMs === null || limitMs === undefined) return work;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `The host has not answered ${channel} within ${limitMs / 1000} s.`;
      reject(new AppError('timed_out', message, { hint: 'Try again; if it stays so, restart Lathe.' }));
    }, limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
