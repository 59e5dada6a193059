import { z } from 'zod';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../../shared/contract/contract';
import { persist } from './persist';
import { createStore } from './store';

const Width = z.object({ width: z.number() });

function memoryState(initial: unknown) {
  const writes: unknown[] = [];
  let value = initial;
  const state: Client['state'] = {
    get: async () => ({ value }),
    set: async (input) => {
      value = input.value;
      writes.push(input.value);
      return null;
    },
  };
  return { client: { state }, writes };
}

const failed = (error: unknown): never => {
  throw error;
};

let page = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
});
afterEach(() => void vi.useRealTimers());

test('what was remembered comes back and is not written again', async () => {
  const host = memoryState({ width: 300 });
  const store = createStore({ width: 240 });
  persist(store, { ...host, scope: 'global', key: 'layout', schema: Width, onError: failed, page });
  await vi.advanceTimersByTimeAsync(1000);
  expect(store.get()).toEqual({ width: 300 });
  expect(host.writes).toEqual([]);
});

test('a drag of many steps is one write of its last value', async () => {
  const host = memoryState(null);
  const store = createStore({ width: 240 });
  persist(store, { ...host, scope: 'global', key: 'layout', schema: Width, onError: failed, page });
  await vi.advanceTimersByTimeAsync(0);
  for (let width = 241; width <= 260; width += 1) store.set({ width });
  await vi.advanceTimersByTimeAsync(1000);
  expect(host.writes).toEqual([{ width: 260 }]);
});

test('a remembered value of another shape is ignored', async () => {
  const host = memoryState({ size: 'wide' });
  const store = createStore({ width: 240 });
  persist(store, { ...host, scope: 'global', key: 'layout', schema: Width, onError: failed, page });
  await vi.advanceTimersByTimeAsync(1000);
  expect(store.get()).toEqual({ width: 240 });
});

test('stopping writes what is due', async () => {
  const host = memoryState(null);
  const store = createStore({ width: 240 });
  const stop = persist(store, {
    ...host,
    scope: 'global',
    key: 'layout',
    schema: Width,
    onError: failed,
    page,
  });
  await vi.advanceTimersByTimeAsync(0);
  store.set({ width: 250 });
  stop();
  expect(host.writes).toEqual([{ width: 250 }]);
});

test('a page that goes writes what is due, and once it has stopped no more', async () => {
  const host = memoryState(null);
  const store = createStore({ width: 240 });
  const stop = persist(store, {
    ...host,
    scope: 'global',
    key: 'layout',
    schema: Width,
    onError: failed,
    page,
  });
  await vi.advanceTimersByTimeAsync(0);
  page.dispatchEvent(new Event('pagehide'));
  store.set({ width: 250 });
  page.dispatchEvent(new Event('beforeunload'));
  page.dispatchEvent(new Event('pagehide'));
  expect(host.writes).toEqual([{ width: 250 }]);
  stop();
  store.set({ width: 260 });
  page.dispatchEvent(new Event('pagehide'));
  expect(host.writes).toEqual([{ width: 250 }]);
});
