import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { createContextStore } from '../context-store';
import { migrate, storeVersion } from '../migrate';
import { Sql } from '../sql';
import { firstTables } from './0001-first-tables';
import { branchesAndSearch } from './0002-branches-and-search';
import { contextTables } from './0003-context';

let dir: string;
let sql: Sql;
beforeEach(() => {
  dir = scratchFolder('lathe-0003-');
  sql = Sql.open(join(dir, 's.db'));
});
afterEach(() => {
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});

const DUMP = `
  INSERT INTO projects (id, path, name, last_opened_at) VALUES ('p1', '/p', 'p', 10);
  INSERT INTO sessions (id, project_id, project_path, title, mode, created_at, updated_at)
    VALUES ('s1', 'p1', '/p', 'One', 'agent', 1, 5);
  INSERT INTO compactions VALUES ('s1', 4, 3, 'in_turn', 100, 50);
  INSERT INTO messages (session_id, position, id, turn_id, at, message) VALUES ('s1', 1, 'm1', 't1', 1, '{"role":"user","content":"hi"}');
`;

const RECORD = {
  ...{ id: 'k1', sessionId: 's1', tier: 'full' as const, focus: '', prefixHash: 'h', replacedCount: 3 },
  ...{ summary: 's', kept: 'k', madeBy: 'local', beforeTokens: 9, afterTokens: 4, at: 7, undoneAt: null },
};

test('a store of format 2 keeps every row and takes compactions and marks, which go with their session', () => {
  migrate(sql, [firstTables, branchesAndSearch], dir);
  sql.exec(DUMP);
  expect(migrate(sql, [firstTables, branchesAndSearch, contextTables], dir)).not.toBeNull();
  expect(storeVersion(sql)).toBe(3);
  expect(sql.all('SELECT * FROM compactions')).toHaveLength(1);
  expect(sql.all('SELECT id FROM messages')).toEqual([{ id: 'm1' }]);
  const store = createContextStore(sql);
  store.addCompaction(RECORD);
  store.setMark('s1', 'm1', 'pinned');
  store.setMark('s1', 'm2', 'short');
  store.setMark('s1', 'm2', null);
  expect(store.compactions('s1')).toEqual([RECORD]);
  expect([...store.marks('s1')]).toEqual([['m1', 'pinned']]);
  store.undoCompaction('s1', 'k1', 11);
  expect(store.compactions('s1')).toMatchObject([{ undoneAt: 11 }]);
  expect(() => store.undoCompaction('s1', 'k1', 12)).toThrow(expect.objectContaining({ code: 'not_found' }));
  sql.run('DELETE FROM sessions WHERE id = ?', 's1');
  expect(store.compactions('s1')).toEqual([]);
  expect(store.marks('s1').size).toBe(0);
});
