import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder';
import { migrate, storeVersion, type Migration } from './migrate';
import { Sql } from './sql';

const one: Migration = {
  version: 1,
  sql: 'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1), (2)',
};
const two: Migration = { version: 2, sql: 'ALTER TABLE a ADD COLUMN y TEXT' };
const lossy: Migration = { version: 2, sql: 'DELETE FROM a WHERE x = 1' };

let dir: string;
let sql: Sql;

beforeEach(() => {
  dir = scratchFolder('lathe-migrate-');
  sql = Sql.open(join(dir, 'm.db'));
});
afterEach(() => {
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});

test('an existing store is copied before it is changed, an empty one is not', () => {
  expect(migrate(sql, [one], dir)).toBeNull();
  const copy = migrate(sql, [one, two], dir) ?? '';
  expect(storeVersion(sql)).toBe(2);
  expect(sql.all('SELECT * FROM a')).toEqual([
    { x: 1, y: null },
    { x: 2, y: null },
  ]);
  const old = Sql.open(copy);
  expect(storeVersion(old)).toBe(1);
  expect(old.all('SELECT * FROM a')).toEqual([{ x: 1 }, { x: 2 }]);
  old.close();
  expect(migrate(sql, [one, two], dir)).toBeNull();
});

test('a step that would lose rows by accident is undone', () => {
  migrate(sql, [one], dir);
  expect(() => migrate(sql, [one, lossy], dir)).toThrow(/would have lost rows of "a"/);
  expect(storeVersion(sql)).toBe(1);
  expect(sql.all('SELECT x FROM a')).toHaveLength(2);
  migrate(sql, [one, { ...lossy, changesRowsOf: ['a'] }], dir);
  expect(sql.all('SELECT x FROM a')).toHaveLength(1);
});

test('a store of a later format is refused with what to do', () => {
  sql.pragma('user_version = 3');
  expect(() => migrate(sql, [one, two], dir)).toThrow(expect.objectContaining({ code: 'store_newer' }));
});
