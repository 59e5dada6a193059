import type { Store } from '../store/types';
import { runJob } from '../worker/run-job';

export interface SearchIndexerOptions {
  store: Pick<Store, 'search' | 'path'>;
  onError(error: unknown): void;
}

/** A new window has better things to do than to index old messages. */
const START_DELAY_MS = 1_500;
/** Steps of new messages at the end: some milliseconds; what is left over is taken in after the next start. */
const STEPS_AT_END = 50;

/**
 * Sees to it that messages get into the search: those of a turn when it is over, in small steps between other work; those
 * from before the index, of forks and of imports in a thread of its own.
 */
export class SearchIndexer {
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;
  private again = false;
  private timer: NodeJS.Timeout | null = null;
  private step: NodeJS.Immediate | null = null;

  constructor(private readonly options: SearchIndexerOptions) {}

  /** Looks a moment after the start whether something waits. */
  startSoon(): void {
    this.timer = setTimeout(() => {
      this.indexNew();
      this.kick();
    }, START_DELAY_MS);
    this.timer.unref();
  }

  /** Messages were stored since. */
  indexNew(): void {
    if (this.step !== null || this.abort.signal.aborted) return;
    this.step = setImmediate(() => {
      this.step = null;
      if (this.takeStep()) this.indexNew();
    });
  }

  /** Something new waits to be indexed. */
  kick(): void {
    if (this.abort.signal.aborted) return;
    if (this.running) {
      this.again = true;
      return;
    }
    if (!this.options.store.search.pending()) return;
    this.running = this.run();
  }

  /** Resolves when nothing is being indexed. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    if (this.step) clearImmediate(this.step);
    for (let steps = 0; steps < STEPS_AT_END && this.takeStep(); steps += 1);
    this.abort.abort();
    await this.running;
  }

  /** @returns whether there may be more */
  private takeStep(): boolean {
    try {
      return this.options.store.search.indexNew();
    } catch (error) {
      this.options.onError(error);
      return false;
    }
  }

  private async run(): Promise<void> {
    try {
      const load = async () => (await import('../store/search-backfill-job')).searchBackfillJob;
      const input = { path: this.options.store.path };
      await runJob('search-backfill', load, input, { signal: this.abort.signal });
    } catch (error) {
      this.options.onError(error);
    }
    this.running = null;
    if (!this.again) return;
    this.again = false;
    this.kick();
  }
}
