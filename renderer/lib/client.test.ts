import { afterEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../../shared/contract/names';
import { EVENT_NAMES, REQUEST_NAMES } from '../../shared/contract/names';
import { FELL_BEHIND } from '../../shared/contract/frames';
import type { Envelope } from '../../shared/error';
import { createClient, type Transport } from './client';
import { createStore } from './store';
import { createElectronTransport } from './transport-electron';

const transportThat = (invoke: Transport['invoke']): Transport => ({
  invoke,
  subscribe: () => () => {},
  status: createStore('open'),
});

afterEach(() => void vi.useRealTimers());

test('the client has a member for every channel of the contract', () => {
  const client = createClient(
    transportThat(() => Promise.resolve({ ok: true, value: null })),
  ) as unknown as Record<string, Record<string, unknown>>;
  const member = (channel: string): unknown => {
    const [domain = '', name = ''] = channel.split('.');
    return client[domain]?.[name];
  };
  for (const name of REQUEST_NAMES) expect(member(name), name).toBeTypeOf('function');
  for (const name of EVENT_NAMES) expect(member(name), name).toHaveProperty('subscribe');
});

test('a request without an answer fails after a minute; one that waits for a person does not', async () => {
  vi.useFakeTimers();
  const client = createClient(transportThat(() => new Promise<Envelope>(() => {})));
  const slow = client.session.list({}).catch((error: unknown) => error);
  let picked = false;
  void client.project.pickFolder(null).finally(() => (picked = true));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await slow).toMatchObject({ code: 'timed_out' });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(picked).toBe(false);
});

function bridgeWith(changes: Partial<Bridge>): Bridge {
  return { invoke: () => Promise.resolve(null), subscribe: () => () => {}, ...changes };
}

test('the bridge is asked by channel name, and what it rejects becomes a failure with a message', async () => {
  const calls: unknown[] = [];
  const good = createElectronTransport(
    bridgeWith({
      invoke: (...args) => {
        calls.push(args);
        return Promise.resolve({ ok: true, value: { model: null } });
      },
    }),
  );
  expect(await createClient(good).model.getDefault(null)).toEqual({ model: null });
  expect(calls).toEqual([['model.getDefault', null]]);
  const bad = createElectronTransport(
    bridgeWith({ invoke: () => Promise.reject(new Error('No such channel')) }),
  );
  await expect(createClient(bad).model.getDefault(null)).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('No such channel') as string,
  });
  const odd = createElectronTransport(bridgeWith({ invoke: () => Promise.resolve({ fine: true }) }));
  await expect(createClient(odd).model.getDefault(null)).rejects.toMatchObject({ code: 'internal' });
});

test('a bridge stream delivers payloads, starts afresh when it fell behind, and reports its failure', () => {
  const listeners: ((frame: unknown) => void)[] = [];
  const left: number[] = [];
  const failures: string[] = [];
  const bridge = bridgeWith({
    subscribe: (_channel, _params, onMessage) => {
      const index = listeners.push(onMessage) - 1;
      return () => void left.push(index);
    },
  });
  const transport = createElectronTransport(bridge, { onStreamFailure: (channel) => failures.push(channel) });
  const got: unknown[] = [];
  const stop = transport.subscribe('session.events', { id: 's' }, (payload) => got.push(payload));
  listeners[0]?.({ kind: 'message', payload: 1 });
  listeners[0]?.({ kind: 'odd' });
  const behind = { code: 'busy', message: 'slow', audience: 'log', detail: { reason: FELL_BEHIND } };
  listeners[0]?.({ kind: 'end', error: behind });
  listeners[1]?.({ kind: 'message', payload: 2 });
  stop();
  listeners[1]?.({ kind: 'message', payload: 3 });
  expect(got).toEqual([1, 2]);
  expect(left).toEqual([1]);
  transport.subscribe('terminal.output', { id: 't' }, () => {});
  listeners[2]?.({ kind: 'end', error: { code: 'not_found', message: 'No.', audience: 'user' } });
  expect(failures).toEqual(['terminal.output']);
});
