import type { TurnRecord } from './turn-types';

interface Waiting {
  record: TurnRecord;
  stored: () => void;
}

/**
 * Joins work that runs at the same time into the one stream a turn yields. `push` resolves when the consumer asks for
 * the next record, that is, after it has stored this one: a tool can wait for its journal entry before it acts. What
 * waits together is handed on as one record, so that it is one write to the disk.
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
      const next = this.waiting.splice(0);
      if (next.length > 0) {
        try {
          yield joined(next.map(({ record }) => record));
        } finally {
          for (const { stored } of next) stored();
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

function joined(records: readonly TurnRecord[]): TurnRecord {
  const [only] = records;
  if (only !== undefined && records.length === 1) return only;
  return {
    payloads: records.flatMap(({ payloads }) => payloads),
    messages: records.flatMap(({ messages }) => messages ?? []),
    deferrable: records.every(({ deferrable }) => deferrable === true),
  };
}
