import { expect, test } from 'vitest';
import { z } from 'zod';
import { domain, event, Nothing, request } from '../../shared/contract/define';
import { AppError } from '../../shared/error';
import { type AnyHandlers, createRouter } from './router';

const shop = domain('shop', {
  price: request({
    input: z.object({ item: z.string().default('pen') }),
    output: z.object({ cents: z.int() }),
  }),
  fail: request({ input: z.object({ how: z.enum(['app', 'other', 'abort']) }), output: Nothing }),
  sales: event({ params: z.object({ from: z.int() }), payload: z.object({ item: z.string() }) }),
});

function setUp(changes: Record<string, (...args: never[]) => unknown> = {}, checkOutput = true) {
  const failures: string[] = [];
  const handlers: AnyHandlers = {
    shop: {
      price: ({ item }: { item: string }) => ({ cents: item.length, secret: 'internal' }),
      fail: ({ how }: { how: string }) => {
        if (how === 'app') throw new AppError('not_found', 'No such item.', { hint: 'Look again.' });
        if (how === 'abort') throw new DOMException('gone', 'AbortError');
        throw new Error('unexpected');
      },
      sales: ({ from }: { from: number }, send: (message: unknown) => Promise<void>) =>
        send({ item: String(from), secret: 1 }),
      ...changes,
    },
  };
  const router = createRouter({
    domains: { shop },
    handlers,
    checkOutput,
    onFailure: (channel) => failures.push(channel),
  });
  const signal = new AbortController().signal;
  return { router, failures, context: { clientId: 'c1', signal } };
}

test('a request is parsed with its defaults and answered without fields the contract does not name', async () => {
  const { router, context } = setUp();
  expect(await router.dispatch('shop.price', {}, context)).toEqual({ ok: true, value: { cents: 3 } });
});

test('an unknown channel is an error, also when it names a property of Object', async () => {
  const { router, context } = setUp();
  for (const channel of ['shop.nothing', 'toString', 'shop.constructor', 'shop.sales', '']) {
    expect(await router.dispatch(channel, null, context)).toMatchObject({
      ok: false,
      error: { code: 'bad_argument' },
    });
  }
});

test('bad input names the field and never repeats the value', async () => {
  const { router, context } = setUp();
  const reply = await router.dispatch('shop.price', { item: { key: 'sk-secret' } }, context);
  expect(reply).toMatchObject({ ok: false, error: { code: 'bad_argument' } });
  expect(JSON.stringify(reply)).toContain('item');
  expect(JSON.stringify(reply)).not.toContain('sk-secret');
});

test('failures cross as code, message and hint; only our own faults are reported', async () => {
  const { router, failures, context } = setUp();
  expect(await router.dispatch('shop.fail', { how: 'app' }, context)).toEqual({
    ok: false,
    error: { code: 'not_found', message: 'No such item.', hint: 'Look again.', audience: 'user' },
  });
  expect(await router.dispatch('shop.fail', { how: 'abort' }, context)).toMatchObject({
    error: { code: 'cancelled' },
  });
  expect(failures).toEqual([]);
  expect(await router.dispatch('shop.fail', { how: 'other' }, context)).toMatchObject({
    error: { code: 'internal' },
  });
  expect(failures).toEqual(['shop.fail']);
});

test('an answer that breaks the contract is reported, not passed on', async () => {
  const { router, failures, context } = setUp({ price: () => ({ cents: 'many' }) });
  expect(await router.dispatch('shop.price', {}, context)).toMatchObject({
    ok: false,
    error: { code: 'internal' },
  });
  expect(failures).toEqual(['shop.price']);
});

test('a stream parses its params and strips what it sends', async () => {
  const { router, context } = setUp();
  const sent: unknown[] = [];
  await router.open('shop.sales', { from: 7 })(async (message) => void sent.push(message), context);
  expect(sent).toEqual([{ item: '7' }]);
  expect(() => router.open('shop.sales', { from: 'x' })).toThrow(AppError);
  expect(() => router.open('shop.price', {})).toThrow(AppError);
});

test('a contract channel without a handler is found when the router is built', () => {
  expect(() =>
    createRouter({ domains: { shop }, handlers: { shop: {} }, checkOutput: true, onFailure: () => {} }),
  ).toThrow('shop.price');
});
