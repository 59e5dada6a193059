import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { createChangeStore } from '../change-store';
import { migrate, storeVersion } from '../migrate';
import { MIGRATIONS } from '../open-store';
import { Sql } from '../sql';

test('a store of before keeps everything, and its change log begins empty', () => {
  const dir = scratchFolder('lathe-migration-7-');
  const sql = Sql.open(join(dir, 'm.db'));
  migrate(sql, MIGRATIONS.slice(0, 6), dir);
  sql.exec(`
    INSERT INTO projects (id, path, name, last_opened_at) VALUES ('p', '/p', 'p', 1);
    INSERT INTO sessions (id, project_id, project_path, title, mode, created_at, updated_at)
      VALUES ('s', 'p', '/p', 'Old', 'agent', 1, 1);
    INSERT INTO recordings (session_id, is_packed, data) VALUES ('s', 0, x'00');
  `);
  migrate(sql, MIGRATIONS.slice(0, 7), dir);
  expect(storeVersion(sql)).toBe(7);
  expect(sql.all('SELECT id, title FROM sessions')).toEqual([{ id: 's', title: 'Old' }]);
  expect(sql.all('SELECT session_id FROM recordings')).toEqual([{ session_id: 's' }]);
  const changes = createChangeStore(sql);
  expect(changes.list('p', {})).toEqual([]);
  changes.record('p', { author: { kind: 'user' }, label: 'Saved', changes: [] });
  sql.run("DELETE FROM projects WHERE id = 'p'");
  expect(sql.all('SELECT * FROM change_sets')).toEqual([]);
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});
