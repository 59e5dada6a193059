import { expect, test } from 'vitest';
import { z } from 'zod';
import { domain, event } from '../../shared/contract/define';
import { fellBehind } from '../../shared/contract/frames';
import { AppError } from '../../shared/error';
import type { CallContext } from '../../shared/contract/define';
import { createRouter } from './router';
import { createSubscriptions, MAX_SUBSCRIPTIONS, type SubscriptionFrame } from './subscriptions';

type Send = (message: unknown) => Promise<void>;
type Stream = (params: unknown, send: Send, context: CallContext) => Promise<void> | void;

const feed = domain('feed', { ticks: event({ params: z.object({ n: z.int() }), payload: z.int() }) });

function setUp(ticks: Stream, limits = { window: 3, maxWaiting: 5 }) {
  const frames: SubscriptionFrame[] = [];
  const router = createRouter({
    domains: { feed },
    handlers: { feed: { ticks } },
    checkOutput: true,
    onFailure: () => {},
  });
  const subscriptions = createSubscriptions({
    router,
    clientId: 'c1',
    deliver: (frame) => frames.push(frame),
    limits,
  });
  const payloads = () => frames.flatMap((frame) => (frame.kind === 'message' ? [frame.payload] : []));
  return { subscriptions, frames, payloads };
}

test('a sender that waits is slowed to what the client acknowledges, and nothing is lost or reordered', async () => {
  let produced = 0;
  const { subscriptions, payloads } = setUp(async (_params, send, { signal }) => {
    while (produced < 20 && !signal.aborted) {
      produced += 1;
      await send(produced);
    }
  });
  subscriptions.open(1, 'feed.ticks', { n: 1 });
  await expect.poll(() => payloads()).toEqual([1, 2, 3]);
  expect(produced).toBe(4);
  subscriptions.acknowledge(1, 2);
  await expect.poll(() => produced).toBe(6);
  expect(payloads()).toEqual([1, 2, 3, 4, 5]);
  while (payloads().length < 20) {
    subscriptions.acknowledge(1, 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(payloads()).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
});

test('a client that never acknowledges costs a bounded number of messages and is told to start again', async () => {
  let signal: CallContext['signal'] | undefined;
  const { subscriptions, frames, payloads } = setUp((_params, send, context) => {
    signal = context.signal;
    for (let n = 1; n <= 1000; n += 1) void send(n);
  });
  subscriptions.open(1, 'feed.ticks', { n: 1 });
  await expect.poll(() => signal?.aborted).toBe(true);
  expect(payloads()).toEqual([1, 2, 3]);
  const last = frames.at(-1);
  expect(last).toMatchObject({ kind: 'end', id: 1 });
  expect(last?.kind === 'end' && fellBehind(last.error)).toBe(true);
});

test('acknowledging more than was sent gives no extra credit', async () => {
  const { subscriptions, payloads } = setUp(async (_params, send) => {
    for (let n = 1; n <= 8; n += 1) await send(n);
  });
  subscriptions.open(1, 'feed.ticks', { n: 1 });
  await expect.poll(() => payloads()).toHaveLength(3);
  subscriptions.acknowledge(1, 1_000_000);
  await expect.poll(() => payloads()).toHaveLength(6);
  expect(payloads()).toHaveLength(6);
});

test('closing one stream aborts it alone and settles its sender; a lost client aborts all', async () => {
  const signals: CallContext['signal'][] = [];
  const settled: number[] = [];
  const { subscriptions } = setUp(async (_params, send, { signal }) => {
    const own = signals.push(signal);
    for (let n = 1; n <= 4; n += 1) await send(n);
    settled.push(own);
  });
  for (const id of [1, 2, 3]) subscriptions.open(id, 'feed.ticks', { n: id });
  await expect.poll(() => signals).toHaveLength(3);
  subscriptions.close(2);
  await expect.poll(() => settled).toEqual([2]);
  expect(signals.map((signal) => signal.aborted)).toEqual([false, true, false]);
  subscriptions.closeAll();
  await expect.poll(() => settled).toEqual([2, 1, 3]);
});

test('a stream stays open when its handler returned, and its failure ends it with the reason', async () => {
  let later: Send | undefined;
  const quiet = setUp((_params, send) => void (later = send));
  quiet.subscriptions.open(1, 'feed.ticks', { n: 1 });
  await expect.poll(() => later).toBeDefined();
  await later?.(42);
  expect(quiet.frames).toEqual([{ kind: 'message', id: 1, payload: 42 }]);

  const failing = setUp(() => {
    throw new AppError('not_found', 'No such feed.');
  });
  failing.subscriptions.open(1, 'feed.ticks', { n: 1 });
  failing.subscriptions.open(2, 'feed.ticks', { n: 'x' });
  failing.subscriptions.open(3, 'feed.none', {});
  await expect.poll(() => failing.frames).toHaveLength(3);
  const inOrder = failing.frames.toSorted((a, b) => a.id - b.id);
  expect(inOrder).toMatchObject([
    { kind: 'end', id: 1, error: { code: 'not_found' } },
    { kind: 'end', id: 2, error: { code: 'bad_argument' } },
    { kind: 'end', id: 3, error: { code: 'bad_argument' } },
  ]);
});

test('a client can not open streams without end', () => {
  const { subscriptions, frames } = setUp(() => {});
  for (let id = 1; id <= MAX_SUBSCRIPTIONS + 1; id += 1) subscriptions.open(id, 'feed.ticks', { n: 1 });
  expect(frames).toMatchObject([{ kind: 'end', id: MAX_SUBSCRIPTIONS + 1, error: { code: 'busy' } }]);
});
