import type { TurnRecord } from './turn-types';

interface Waiting {
  record: TurnRecord;
  stored: () => void;
}

/**
 * Joins work that runs at the same time into the one stream a turn yields. `push` resolves when the consumer asks for
 * the next record, that is, after it has stored this one: a tool can wait for its journal entry before it acts.
 */
export class RecordQueue {
  private readonly waiting: Waiting[] = [];
  private wake: (() => void) | null = null;
  private ended = false;

  push(record: TurnRecord): Promise<void> {
    return new Promise((stored) => {
      this.waiting.push({ record, stored });
      this.signal();
    });
  }

  end(): void {
    this.ended = true;
    this.signal();
  }

  async *drain(): AsyncGenerator<TurnRecord, void> {
    for (;;) {
      const next = this.waiting.shift();
      if (next) {
        try {
          yield next.record;
        } finally {
          next.stored();
        }
      } else if (this.ended) {
        return;
      } else {
        await new Promise<void>((wake) => {
          this.wake = wake;
        });
      }
    }
  }

  private signal(): void {
    this.wake?.();
    this.wake = null;
  }
}
