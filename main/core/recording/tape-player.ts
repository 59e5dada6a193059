import { AppError, fromErrorShape } from '../../../shared/error';
import { ModelError } from '../model/model-error';
import type { RecordedFailure, TapeEntry } from './tape-entry';

/** Where a replay did something else than the recording. */
export interface Divergence {
  /** Line of the recording that was due, 1-based. */
  line: number;
  what: string;
}

/** Thrown into the replayed turn when it asks for what the recording does not hold. */
export class DivergenceError extends AppError {
  constructor(what: string) {
    super('conflict', `The replay went another way than the recording: ${what}.`, { audience: 'log' });
  }
}

interface Deferred {
  promise: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

function deferred(): Deferred {
  const made = Promise.withResolvers<unknown>();
  // Nobody may be waiting yet; a rejection is met by whoever asks.
  made.promise.catch(() => undefined);
  return made;
}

export function rebuildFailure({ error, aborted, partial, learnedContextWindow }: RecordedFailure): Error {
  if (aborted === true) return new DOMException(error.message, 'AbortError');
  if (partial === undefined) return fromErrorShape(error);
  const { code, message, hint, audience, detail } = error;
  return new ModelError(code, message, {
    ...{ audience, partial },
    ...(hint === undefined ? {} : { hint }),
    ...(detail === undefined ? {} : { detail }),
    ...(learnedContextWindow === undefined ? {} : { learnedContextWindow }),
  });
}

type Answer = Extract<TapeEntry, { k: 'val' }>;

/** Puts large values back where an entry only names them. */
export class Definitions {
  private readonly values = new Map<number, unknown>();

  set(n: number, value: unknown): void {
    this.values.set(n, value);
  }

  clear(): void {
    this.values.clear();
  }

  value(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const n = (value as { $?: unknown }).$;
    return typeof n === 'number' && Object.keys(value).length === 1 ? this.values.get(n) : value;
  }
}

/**
 * Answers the questions of one replayed turn. What answers at once (`val`, `id`) is queued ahead, per
 * kind; what came in its own time is released one by one, in the order of the tape.
 */
export class TapePlayer {
  private readonly answers = new Map<string, Answer[]>();
  private readonly ids: string[] = [];
  private readonly waits = new Map<string, Deferred>();
  private readonly asked = new Map<string, number>();
  readonly divergences: string[] = [];

  constructor(private readonly definitions: Definitions) {}

  queue(entry: TapeEntry): void {
    if (entry.k === 'id') this.ids.push(entry.v);
    else if (entry.k === 'val') {
      const value = { ...entry, v: this.definitions.value(entry.v) };
      const list = this.answers.get(entry.f);
      if (list) list.push(value);
      else this.answers.set(entry.f, [value]);
    }
  }

  nextId(): string {
    return this.ids.shift() ?? this.diverge('it needs one more id');
  }

  /** The next answer of the dependency at `path`, or the promise of it. */
  ask(path: string): unknown {
    const list = this.answers.get(path);
    if (list) {
      const next = list.shift();
      return next ? next.v : this.diverge(`it asks ${path} once more`);
    }
    const i = this.asked.get(path) ?? 0;
    this.asked.set(path, i + 1);
    return this.wait(`${path}#${i}`).promise;
  }

  release(entry: Extract<TapeEntry, { k: 'res' | 'err' }>): void {
    const wait = this.wait(`${entry.f}#${entry.i}`);
    if (entry.k === 'res') wait.resolve(this.definitions.value(entry.v));
    else wait.reject(rebuildFailure(entry.v));
  }

  diverge(what: string): never {
    this.divergences.push(what);
    throw new DivergenceError(what);
  }

  private wait(key: string): Deferred {
    let found = this.waits.get(key);
    if (!found) {
      found = deferred();
      this.waits.set(key, found);
    }
    return found;
  }
}
