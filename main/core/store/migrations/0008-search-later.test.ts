import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { migrate, storeVersion } from '../migrate';
import { MIGRATIONS } from '../open-store';
import { createSearchStore } from '../search-store';
import { Sql } from '../sql';

test('what a store of before has in its search stays found, and nothing is taken in twice', () => {
  const dir = scratchFolder('lathe-migration-8-');
  const sql = Sql.open(join(dir, 'm.db'));
  migrate(sql, MIGRATIONS.slice(0, 7), dir);
  sql.exec(`
    INSERT INTO projects (id, path, name, last_opened_at) VALUES ('p', '/p', 'p', 1);
    INSERT INTO sessions (id, project_id, project_path, title, mode, last_position, created_at, updated_at)
      VALUES ('s', 'p', '/p', 'Old', 'agent', 1, 1, 1);
    INSERT INTO messages (session_id, position, id, turn_id, at, message)
      VALUES ('s', 1, 'm', 't', 1, '{"role":"user","content":"an old word"}');
    INSERT INTO search_docs (id, session_id, position) VALUES (1, 's', 1);
    INSERT INTO message_search (rowid, text) VALUES (1, 'an old word');
  `);
  migrate(sql, MIGRATIONS.slice(0, 8), dir);
  expect(storeVersion(sql)).toBe(8);
  const search = createSearchStore(sql);
  expect(search.indexNew()).toBe(false);
  const found = search.find('word', { projectId: 'p', sessions: 9, hitsPerSession: 9 });
  expect(found.map(({ sessionId, count }) => [sessionId, count])).toEqual([['s', 1]]);
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});
