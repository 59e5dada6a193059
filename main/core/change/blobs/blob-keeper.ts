import { rm } from 'node:fs/promises';
import type { ChangeTables } from '../../store/change-store';
import { runJob } from '../../worker/run-job';
import { blobPath, type BlobStore } from './blob-store';
import { PACKED } from './packing';
import type { TidyInput, Tidied } from './tidy-job';

/** Turns often follow one another; what they leave is tidied when there is a pause, in milliseconds. */
const PAUSE_MS = 3_000;
/** Entries that nobody can take back any more are told about this long, in milliseconds. */
const TOLD_MS = 30 * 24 * 3_600_000;

export interface BlobKeeperOptions {
  blobs: BlobStore;
  store: ChangeTables;
  /** Folder with the known states of projects. */
  baselines: string;
  limitBytes(): number;
  onError(error: unknown): void;
}

/** Packs what turns left and makes room under the limit, in a thread and one at a time. */
export class BlobKeeper {
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<Tidied | null> = Promise.resolve(null);
  private packedUntil = 0;

  constructor(private readonly options: BlobKeeperOptions) {}

  turnEnded(): void {
    if (this.abort.signal.aborted) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.tidy(), PAUSE_MS);
    this.timer.unref();
  }

  /** Tidies now. Never throws. */
  tidy(): Promise<Tidied | null> {
    this.timer = null;
    this.running = this.running
      .then(() => this.once())
      .catch((error: unknown) => {
        if (!this.abort.signal.aborted) this.options.onError(error);
        return null;
      });
    return this.running;
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.abort.abort();
    await this.running;
  }

  private async once(): Promise<Tidied | null> {
    if (this.abort.signal.aborted) return null;
    const { blobs, store, baselines, limitBytes } = this.options;
    await blobs.idle();
    const startedAt = Date.now();
    const input: TidyInput = {
      ...{ dir: blobs.dir, packedUntil: this.packedUntil, limitBytes: limitBytes(), baselines },
      byAge: store.hashesByAge(),
      pinned: [...store.reviewHashes()],
    };
    const load = async () => (await import('./tidy-job')).tidyJob;
    const tidied = await runJob('blob-tidy', load, input, { signal: this.abort.signal });
    this.packedUntil = startedAt;
    await this.remove(tidied.surplus);
    return tidied;
  }

  /** Entries say first that these are not kept; what a crash leaves after that is a content nobody names. */
  private async remove(surplus: readonly string[]): Promise<void> {
    if (surplus.length === 0) return;
    const { blobs, store } = this.options;
    // A review that began meanwhile keeps what it needs.
    const pinned = store.reviewHashes();
    const gone = surplus.filter((hash) => !pinned.has(hash));
    store.forgetContents(gone);
    blobs.forget(gone);
    for (const hash of gone) {
      const path = blobPath(blobs.dir, hash);
      await Promise.all([rm(path, { force: true }), rm(path + PACKED, { force: true })]);
    }
    store.prune(Date.now() - TOLD_MS);
  }
}
