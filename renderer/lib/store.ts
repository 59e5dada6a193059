import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/** A value that lives outside React: panes subscribe to the part they need. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
  /** Calls `listener` after every change; the returned function detaches it. */
  subscribe(listener: () => void): () => void;
}

export type ReadableStore<T> = Pick<Store<T>, 'get' | 'subscribe'>;

/** Values are replaced, never mutated: setting the same value (by `Object.is`) notifies nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T): void => {
    if (Object.is(value, next)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Equality<S> = (left: S, right: S) => boolean;

/** Remembers the last selection, so that an equal result keeps its identity. */
function memoSelect<T, S>(
  store: ReadableStore<T>,
  select: (value: T) => S,
  equal: Equality<S>,
  previous: () => { value: S } | null,
): () => S {
  let cached: { from: T; value: S } | null = null;
  return () => {
    const from = store.get();
    if (cached && Object.is(cached.from, from)) return cached.value;
    const next = select(from);
    const before = cached ?? previous();
    cached = { from, value: before && equal(before.value, next) ? before.value : next };
    return cached.value;
  };
}

const identity = <T>(value: T): T => value;

/**
 * Reads a store in a component; without `select` the whole value. The component renders again only when the selection
 * changes by `equal` (default `Object.is`); give `shallowEqual` for selections that build objects or arrays.
 */
export function useStore<T>(store: ReadableStore<T>): T;
export function useStore<T, S>(store: ReadableStore<T>, select: (value: T) => S, equal?: Equality<S>): S;
export function useStore<T, S = T>(
  store: ReadableStore<T>,
  select: (value: T) => S = identity as (value: T) => S,
  equal: Equality<S> = Object.is,
): S {
  const committed = useRef<{ value: S } | null>(null);
  const read = useMemo(
    () => memoSelect(store, select, equal, () => committed.current),
    [store, select, equal],
  );
  const value = useSyncExternalStore(store.subscribe, read, read);
  useEffect(() => {
    committed.current = { value };
  }, [value]);
  return value;
}

/** True when both are the same value, or arrays or plain objects whose entries are the same values. */
export function shallowEqual<T>(left: T, right: T): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const leftEntries = Object.entries(left);
  const rightValues = right as Record<string, unknown>;
  return (
    leftEntries.length === Object.keys(right).length &&
    leftEntries.every(([key, value]) => Object.hasOwn(right, key) && Object.is(value, rightValues[key]))
  );
}
