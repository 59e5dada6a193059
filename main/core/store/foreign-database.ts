import SqliteDatabase from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { toStoreError } from './sql';

/** A database of another program: read, and never written. */
export interface ForeignDatabase {
  /** Names of a table's columns; none when there is no such table. */
  columns(table: string): string[];
  all(query: string, ...params: readonly string[]): unknown[];
  [Symbol.dispose](): void;
}

/** @returns null when there is no database at this path */
export function openForeignDatabase(path: string): ForeignDatabase | null {
  if (!existsSync(path)) return null;
  let database: SqliteDatabase.Database;
  try {
    database = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 2_000 });
    database.pragma('query_only = ON');
    database.pragma('trusted_schema = OFF');
  } catch (error) {
    throw toStoreError(error);
  }
  const all = (query: string, ...params: readonly string[]): unknown[] => {
    try {
      return database.prepare(query).all(...params);
    } catch (error) {
      throw toStoreError(error);
    }
  };
  return {
    all,
    columns: (table) =>
      all('SELECT name FROM pragma_table_info(?)', table).flatMap((row) =>
        typeof row === 'object' && row !== null && 'name' in row ? [String(row.name)] : [],
      ),
    [Symbol.dispose]: () => database.close(),
  };
}
