import type { Store } from '../store/types';
import { runJob } from '../worker/run-job';

export interface SearchIndexerOptions {
  store: Pick<Store, 'search' | 'path'>;
  onError(error: unknown): void;
}

/** A new window has better things to do than to index old messages. */
const START_DELAY_MS = 1_500;

/** Sees to it that messages from before the index, of forks and of imports get into the search, in a thread of its own. */
export class SearchIndexer {
  private readonly abort = new AbortController();
  private running: Promise<void> | null = null;
  private again = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: SearchIndexerOptions) {}

  /** Looks a moment after the start whether something waits. */
  startSoon(): void {
    this.timer = setTimeout(() => this.kick(), START_DELAY_MS);
    this.timer.unref();
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
    this.abort.abort();
    await this.running;
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
