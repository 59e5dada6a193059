import type { RecordingStore } from '../store/types';

/** Packs recordings of ended turns one after the other, out of anybody's way. */
export class RecordingPacker {
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: RecordingStore,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(sessionId: string): void {
    this.work = this.work.then(() => this.store.pack(sessionId)).catch(this.onError);
  }

  /** Resolves when nothing is being packed; called before the store closes. */
  idle(): Promise<void> {
    return this.work;
  }
}
