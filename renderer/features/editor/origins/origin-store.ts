import { createStore } from '../../../lib/store';

/** Asks who wrote the line of the cursor; a new object asks again. */
export const originAsk = createStore<{ readonly at: number } | null>(null);

export const askOrigin = (): void => originAsk.set({ at: performance.now() });
