import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { migrate, storeVersion } from '../migrate';
import { Sql } from '../sql';
import { firstTables } from './0001-first-tables';
import { branchesAndSearch } from './0002-branches-and-search';

let dir: string;
let sql: Sql;

beforeEach(() => {
  dir = scratchFolder('lathe-0002-');
  sql = Sql.open(join(dir, 's.db'));
});
afterEach(() => {
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Rows as a store of format 1 has them. */
const DUMP = `
  INSERT INTO projects VALUES ('p1', '/p', 'p', '1', '2@3', 0, 0, 10);
  INSERT INTO sessions VALUES
    ('s1', 'p1', '/p', 'Named by somebody', 'agent', NULL, 'idle', 'done', 2, 3, 2, 1, 5),
    ('s2', 'p1', '/p', 'New session', 'ask', 'x/y', 'idle', '', 0, 0, 0, 2, 6);
  INSERT INTO events VALUES
    ('s1', 1, 't1', 1, 'turn.started', '{"type":"turn.started","messageId":"m1","text":"hi","mode":"agent","agent":"Agent","kind":"message"}'),
    ('s1', 2, 't1', 2, 'todo.changed', '{"type":"todo.changed","items":[]}'),
    ('s1', 3, 't1', 3, 'turn.finished', '{"type":"turn.finished","reason":"done","steps":1,"text":"","durationMs":1}');
  INSERT INTO messages VALUES
    ('s1', 1, 'm1', 't1', 1, '{"role":"user","content":"hi"}'),
    ('s1', 2, 'm2', 't1', 2, '{"role":"assistant","content":"hello"}');
  INSERT INTO views VALUES ('s1', 3, '{}');
  INSERT INTO grants VALUES ('g1', 'run_command', 'ls', 'allow', 'session', 's1', 1, NULL);
`;

test('a store of format 1 keeps every row and gets its messages queued for the search', () => {
  migrate(sql, [firstTables], dir);
  sql.exec(DUMP);
  const copy = migrate(sql, [firstTables, branchesAndSearch], dir);
  expect(copy).not.toBeNull();
  expect(storeVersion(sql)).toBe(2);
  expect(sql.all('SELECT id, title_by, origin, is_hidden FROM sessions ORDER BY id')).toEqual([
    { id: 's1', title_by: 'user', origin: null, is_hidden: 0 },
    { id: 's2', title_by: 'message', origin: null, is_hidden: 0 },
  ]);
  expect(sql.all('SELECT position, voided_by FROM messages')).toEqual([
    { position: 1, voided_by: null },
    { position: 2, voided_by: null },
  ]);
  expect(sql.all('SELECT * FROM search_pending')).toEqual([{ session_id: 's1', next_position: 2 }]);
  expect(sql.get('SELECT remote, root_commit, linked_to FROM projects')).toEqual({
    remote: null,
    root_commit: null,
    linked_to: null,
  });
});

test('removing a session takes its part of the search index along', () => {
  migrate(sql, [firstTables], dir);
  sql.exec(DUMP);
  migrate(sql, [firstTables, branchesAndSearch], dir);
  sql.exec(`INSERT INTO search_docs VALUES (-1, 's1', 1), (4, 's2', 1);
    INSERT INTO message_search (rowid, text) VALUES (-1, 'hi there'), (4, 'hi again')`);
  sql.run('DELETE FROM sessions WHERE id = ?', 's1');
  expect(sql.all(`SELECT rowid FROM message_search WHERE message_search MATCH '"hi"'`)).toEqual([
    { rowid: 4 },
  ]);
  expect(sql.all('SELECT id FROM search_docs')).toEqual([{ id: 4 }]);
});
