import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { createMemoryStore } from '../memory-store';
import { migrate, storeVersion } from '../migrate';
import { Sql } from '../sql';
import { firstTables } from './0001-first-tables';
import { branchesAndSearch } from './0002-branches-and-search';
import { contextTables } from './0003-context';
import { memoryTables } from './0004-memory';

test('a store of format 3 keeps every row and takes notes, which go with their project', () => {
  const dir = scratchFolder('lathe-0004-');
  const sql = Sql.open(join(dir, 'm.db'));
  const before = [firstTables, branchesAndSearch, contextTables];
  migrate(sql, before, dir);
  sql.exec(`
    INSERT INTO projects (id, path, name, last_opened_at) VALUES ('p', '/p', 'p', 1);
    INSERT INTO sessions (id, project_id, project_path, title, mode, created_at, updated_at)
      VALUES ('s', 'p', '/p', 'Old', 'agent', 1, 1);
  `);
  migrate(sql, [...before, memoryTables], dir);
  expect(storeVersion(sql)).toBe(4);
  expect(sql.all('SELECT id, title FROM sessions')).toEqual([{ id: 's', title: 'Old' }]);
  const store = createMemoryStore(sql);
  const facts = { projectId: 'p', sessionId: 's', source: 'agent' as const };
  store.add({ ...facts, at: 1, text: 'Tests run with npm test' });
  expect(store.find('p', 'how do tests run', 5).map(({ text }) => text)).toEqual(['Tests run with npm test']);
  expect(store.add({ ...facts, at: 9, text: 'Tests run with npm test' })).toMatchObject({ id: 1, at: 9 });
  expect(store.find('p', 'npm', 5)).toHaveLength(1);
  expect(store.find('other', 'npm', 5)).toEqual([]);
  sql.run("DELETE FROM projects WHERE id = 'p'");
  expect(sql.all('SELECT * FROM memory_notes')).toEqual([]);
  expect(sql.all("SELECT rowid FROM memory_search WHERE memory_search MATCH 'npm'")).toEqual([]);
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});
