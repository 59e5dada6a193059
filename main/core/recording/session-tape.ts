import type { LogInput } from '../session/event-log';
import type { SessionRecorder } from '../session/session-recorder';
import type { LoopDeps, Turn } from '../turn/turn-types';
import { recordDeps } from './record-deps';
import type { TapeEntry, TapeWriter } from './tape-entry';

/** Values whose JSON is longer than this are written once and named by number from then on. */
const DEFINE_CHARS = 400;

/**
 * Collects what comes into one session, as lines of JSON, until the event log stores them together with the events they
 * led to. Nothing here touches the disk.
 */
export class SessionTape implements SessionRecorder, TapeWriter {
  readonly timers = true;
  private lines: string[] = [];
  private numbers = new WeakMap<object, number>();
  private defined = 0;
  private deriving = 0;
  private inTurn = false;

  constructor(private readonly version: string) {
    this.reboot();
  }

  /** From here on nothing that was written before is relied on: another process may have written in between. */
  reboot(): void {
    this.numbers = new WeakMap();
    this.note({ k: 'boot', version: this.version });
  }

  note(entry: TapeEntry): void {
    this.lines.push(JSON.stringify(entry));
  }

  /** An id that was handed out; outside of turns ids come in with what they name. */
  id(id: string): string {
    if (this.inTurn) this.note({ k: 'id', v: id });
    return id;
  }

  input(input: LogInput): void {
    if (this.deriving === 0) this.note({ k: 'in', ...input });
  }

  withdraw(): void {
    if (this.deriving === 0) this.lines.pop();
  }

  storing(timer: boolean): { at: number; text: string; done(): void; failed(): void } {
    const at = Date.now();
    this.note({ k: 'flush', at, ...(timer ? { timer } : {}) });
    const count = this.lines.length;
    return {
      at,
      text: this.lines.join('\n'),
      done: () => void this.lines.splice(0, count),
      failed: () => void this.lines.splice(count - 1, 1),
    };
  }

  /** The value itself, or a reference to it when it is large and was met before. */
  value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.numbers.get(value);
    if (known !== undefined) return { $: known };
    const text = JSON.stringify(value);
    if (text.length < DEFINE_CHARS) return value;
    this.defined += 1;
    this.numbers.set(value, this.defined);
    this.lines.push(`{"k":"def","n":${this.defined},"v":${text}}`);
    return { $: this.defined };
  }

  wrap(deps: LoopDeps): LoopDeps {
    return recordDeps(deps, this);
  }

  started(turn: Turn): void {
    this.note({ k: 'turn', turn: { ...turn } });
    this.inTurn = true;
  }

  stopped(): void {
    this.note({ k: 'stop' });
  }

  forced(): void {
    this.note({ k: 'forced' });
  }

  ended(): void {
    this.note({ k: 'end' });
    this.inTurn = false;
  }

  derive<T>(work: () => T): T {
    this.deriving += 1;
    try {
      return work();
    } finally {
      this.deriving -= 1;
    }
  }
}
