import { useSyncExternalStore } from 'react';
import { createStore } from './store';

const TICK_MS = 1000;
const clock = createStore(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all that count seconds; it runs only while somebody does. */
function subscribe(listener: () => void): () => void {
  const unsubscribe = clock.subscribe(listener);
  users += 1;
  if (users === 1) {
    timer = setInterval(() => clock.set(Date.now()), TICK_MS);
    clock.set(Date.now());
  }
  return () => {
    unsubscribe();
    users -= 1;
    if (users === 0) clearInterval(timer);
  };
}

const idle = (): (() => void) => () => undefined;

/** The time in epoch milliseconds, fresh every second while `running`; otherwise the last one that was read. */
export function useNow(running = true): number {
  return useSyncExternalStore(running ? subscribe : idle, clock.get, clock.get);
}
