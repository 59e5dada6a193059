import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { fromJson, parseRow, type Sql } from './sql';
import type { StateStore } from './types';

/** Bytes of JSON a value may have (shared/contract/state.ts). */
const MAX_VALUE_BYTES = 256 * 1024;

const Row = z.object({ value: z.string() });

/** `get` of an unknown or unreadable key is null, as is a value that was set to null or undefined. */
export function createStateStore(sql: Sql): StateStore {
  const text = (scope: string, key: string): string | null =>
    parseRow(Row, sql.get('SELECT value FROM state WHERE scope = ? AND key = ?', scope, key))?.value ?? null;
  return {
    get: (scope, key) => {
      const value = text(scope, key);
      return value === null ? null : (fromJson(value) ?? null);
    },
    text,
    set: (scope, key, value) => {
      if (value === null || value === undefined) {
        sql.run('DELETE FROM state WHERE scope = ? AND key = ?', scope, key);
        return;
      }
      const text = JSON.stringify(value);
      if (Buffer.byteLength(text) > MAX_VALUE_BYTES) {
        throw new AppError('bad_argument', `The state "${key}" is larger than 256 KB.`, {
          hint: 'Keep less in one value.',
          audience: 'log',
          detail: { scope, key, limitBytes: MAX_VALUE_BYTES },
        });
      }
      sql.run(
        `INSERT INTO state (scope, key, value) VALUES (?, ?, ?)
         ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value`,
        scope,
        key,
        text,
      );
    },
  };
}
