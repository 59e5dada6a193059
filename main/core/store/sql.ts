import SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import type { Schema } from '../../../shared/schema';

type Value = string | number | bigint | null | Uint8Array;
type Params = readonly Value[];

/** How long a write waits for another process's write, in milliseconds (fault-F112). */
const BUSY_TIMEOUT_MS = 5000;

/** SQLite's own codes for "this file is no database any more". */
export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}

function sqliteCode(error: unknown): string {
  if (error instanceof SqliteDatabase.SqliteError) return error.code;
  if (error instanceof AppError && error.cause !== undefined) return sqliteCode(error.cause);
  return '';
}

/** Turns what SQLite throws into an AppError that says what to do; everything else comes back as it is. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  const detail = { sqlite: error.code };
  const options = { cause: error, detail };
  if (error.code === 'SQLITE_FULL') {
    return new AppError('disk_full', 'There is no room left on the disk to save this.', {
      ...options,
      hint: 'Free some space and try again; what was saved before is unharmed.',
    });
  }
  if (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED')) {
    return new AppError('busy', 'Another Lathe process is writing to the store and did not finish in time.', {
      ...options,
      hint: 'Try again in a moment, or close the other window.',
    });
  }
  if (isCorruption(error)) {
    return new AppError('store_corrupt', 'The file that holds sessions and settings is damaged.', {
      ...options,
      hint: 'Restart Lathe: it sets the damaged file aside and starts with a new one.',
    });
  }
  if (error.code.startsWith('SQLITE_CONSTRAINT')) {
    return new AppError('conflict', `The store refused a row: ${error.message}.`, {
      ...options,
      audience: 'log',
    });
  }
  return new AppError('io_failed', `The store could not be read or written: ${error.message}.`, {
    ...options,
    hint: 'Check that the data folder exists, is writable and has room.',
  });
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error);
  }
}

/**
 * One connection with prepared statements cached by their text. Every failure is an AppError (see
 * {@link toStoreError}); nothing outside this folder sees SQLite.
 */
export class Sql {
  readonly #db: SqliteDatabase.Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement>();
  #failureListener: ((error: unknown) => void) | null = null;

  private constructor(db: SqliteDatabase.Database) {
    this.#db = db;
  }

  /** Opens or creates the file in WAL mode, each commit flushed to the disk. */
  static open(path: string): Sql {
    return guarded(() => {
      const db = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
      try {
        db.pragma('journal_mode = WAL');
        db.pragma('synchronous = FULL');
        db.pragma('foreign_keys = ON');
        db.pragma('trusted_schema = OFF');
        db.function('fold', { deterministic: true }, (text) => String(text).toLocaleLowerCase());
        return new Sql(db);
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  #statement(text: string): SqliteDatabase.Statement {
    const cached = this.#statements.get(text);
    if (cached) return cached;
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #run<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const mapped = toStoreError(error);
      if (isCorruption(error)) this.#failureListener?.(mapped);
      throw mapped;
    }
  }

  /** Called when a statement finds the file damaged, so that the next start checks it. */
  onCorruption(listener: (error: unknown) => void): void {
    this.#failureListener = listener;
  }

  get(text: string, ...params: Params): unknown {
    return this.#run(() => this.#statement(text).get(...params));
  }

  all(text: string, ...params: Params): unknown[] {
    return this.#run(() => this.#statement(text).all(...params));
  }

  run(text: string, ...params: Params): { changes: number } {
    return this.#run(() => this.#statement(text).run(...params));
  }

  /** Several statements at once, uncached: schema changes. */
  exec(text: string): void {
    this.#run(() => this.#db.exec(text));
  }

  pragma(text: string): unknown {
    return this.#run(() => this.#db.pragma(text, { simple: true }));
  }

  /**
   * Runs `work` in one transaction that takes the write lock at once; any throw rolls it back. Inside of another one it
   * is a part of that, which is rolled back alone.
   */
  transaction<T>(work: () => T): T {
    if (this.#db.inTransaction) return this.#run(() => this.#db.transaction(work)());
    return this.#run(() => {
      this.#statement('BEGIN IMMEDIATE').run();
      try {
        const result = work();
        this.#statement('COMMIT').run();
        return result;
      } finally {
        // Some failures, of a full disk among them, have rolled it back already.
        if (this.#db.inTransaction) this.#statement('ROLLBACK').run();
      }
    });
  }

  close(): void {
    this.#statements.clear();
    this.#run(() => this.#db.close());
  }
}

/** Parses one row; null for a missing or unreadable one. */
export function parseRow<S extends Schema>(schema: S, row: unknown): z.output<S> | null {
  if (row === undefined) return null;
  const parsed = z.safeParse(schema, row);
  return parsed.success ? parsed.data : null;
}

/** Parses rows; unreadable ones are left out and counted (case-H01, case-H09). */
export function parseRows<S extends Schema>(
  schema: S,
  rows: readonly unknown[],
): { items: z.output<S>[]; unreadable: number } {
  const items: z.output<S>[] = [];
  for (const row of rows) {
    const parsed = z.safeParse(schema, row);
    if (parsed.success) items.push(parsed.data);
  }
  return { items, unreadable: rows.length - items.length };
}

/** JSON text of a column, or `undefined` when it is none: schemas then refuse the row. */
export function fromJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
