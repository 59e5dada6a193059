import { expect, test } from 'vitest';
import { createStore, shallowEqual } from './store';

test('listeners hear every change once and none after they left', () => {
  const store = createStore(1);
  const seen: number[] = [];
  const leave = store.subscribe(() => seen.push(store.get()));
  store.set(2);
  store.update((value) => value + 1);
  leave();
  store.set(9);
  expect(seen).toEqual([2, 3]);
});

test('setting the same value notifies nobody', () => {
  const value = { a: 1 };
  const store = createStore(value);
  let calls = 0;
  store.subscribe(() => (calls += 1));
  store.set(value);
  expect(calls).toBe(0);
});

test('a listener that leaves while others are told does not disturb them', () => {
  const store = createStore(0);
  const heard: string[] = [];
  const leave = store.subscribe(() => {
    heard.push('first');
    leave();
  });
  store.subscribe(() => heard.push('second'));
  store.set(1);
  store.set(2);
  expect(heard).toEqual(['first', 'second', 'second']);
});

test('shallow equality compares entries, not depth', () => {
  const inner = {};
  expect(shallowEqual({ a: 1, inner }, { a: 1, inner })).toBe(true);
  expect(shallowEqual({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(shallowEqual([1, 2], [1, 2])).toBe(true);
  expect(shallowEqual({ a: {} }, { a: {} })).toBe(false);
});
