import { z } from 'zod';
import type { Client } from '../../shared/contract/contract';
import type { Store } from './store';
import type { Schema } from '../../shared/schema';

/** Long enough to fold a drag into one write. A page that goes writes at once what is due. */
const SAVE_AFTER_MS = 300;

/** A write that failed is tried again after this, with what is there then. */
const RETRY_MS = 3000;

export interface PersistOptions<T> {
  client: Pick<Client, 'state'>;
  scope: 'global' | 'project';
  /** The name under which the host keeps it. */
  key: string;
  schema: Schema<T>;
  onError: (error: unknown) => void;
  /** What tells that the page goes; the window unless a test says otherwise. */
  page?: EventTarget;
}

/** At the first there is still time to send; not every way of going has it, and what changed after it comes with the second. */
const PAGE_GOES = ['beforeunload', 'pagehide'] as const;

/**
 * Loads what the host remembers into `store` and writes every later change back, at most once in 300 ms. A value that
 * does not fit `schema` any more is ignored. What is due when the page goes is written then. The returned function writes
 * what is due and stops.
 */
export function persist<T>(store: Store<T>, options: PersistOptions<T>): () => void {
  const { client, scope, key, schema, onError, page = window } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saved = store.get();
  let stopped = false;
  let failing = false;
  const save = (): void => {
    timer = undefined;
    saved = store.get();
    client.state.set({ scope, key, value: saved }).then(
      () => {
        failing = false;
      },
      (error: unknown) => {
        // Said once: the host being away or its disk full is told elsewhere too, and the next try may do.
        if (!failing) onError(error);
        failing = true;
        if (!stopped) timer ??= setTimeout(save, RETRY_MS);
      },
    );
  };
  const unsubscribe = store.subscribe(() => {
    if (Object.is(store.get(), saved)) return;
    timer ??= setTimeout(save, SAVE_AFTER_MS);
  });
  const saveNow = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    save();
  };
  for (const event of PAGE_GOES) page.addEventListener(event, saveNow);
  const load = async (): Promise<void> => {
    const { value } = await client.state.get({ scope, key });
    const parsed = z.safeParse(schema, value);
    const untouched = Object.is(store.get(), saved);
    if (stopped || !parsed.success || !untouched) return;
    saved = parsed.data;
    store.set(parsed.data);
  };
  load().catch(onError);
  return () => {
    stopped = true;
    unsubscribe();
    for (const event of PAGE_GOES) page.removeEventListener(event, saveNow);
    saveNow();
  };
}
