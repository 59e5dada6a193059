import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { migrate } from '../migrate';
import { Sql } from '../sql';
import { firstTables } from './0001-first-tables';
import { subagentsAndBudget } from './0005-subagents-and-budget';

test('a store of before keeps its sessions and usage, and knows what was spent', () => {
  const dir = scratchFolder('lathe-migration-5-');
  const sql = Sql.open(join(dir, 'm.db'));
  migrate(sql, [firstTables], dir);
  sql.exec(`
    INSERT INTO projects (id, path, name, last_opened_at) VALUES ('p', '/p', 'p', 1);
    INSERT INTO sessions (id, project_id, project_path, title, mode, created_at, updated_at)
      VALUES ('s', 'p', '/p', 'Old', 'agent', 1, 1), ('t', 'p', '/p', 'Empty', 'ask', 1, 1);
    INSERT INTO usage (session_id, seq, at, input_tokens, output_tokens, is_estimated)
      VALUES ('s', 3, 1, 100, 10, 0), ('s', 7, 1, 200, 20, 1);
  `);
  migrate(sql, [firstTables, subagentsAndBudget], dir);
  expect(
    sql.all('SELECT id, title, agent, parent_id, cost_micros, spent_tokens, budget_micros FROM sessions'),
  ).toEqual([
    {
      id: 's',
      title: 'Old',
      agent: null,
      parent_id: null,
      cost_micros: 0,
      spent_tokens: 330,
      budget_micros: null,
    },
    {
      id: 't',
      title: 'Empty',
      agent: null,
      parent_id: null,
      cost_micros: 0,
      spent_tokens: 0,
      budget_micros: null,
    },
  ]);
  expect(sql.all('SELECT seq, model, cost_micros, purpose FROM usage')).toEqual([
    { seq: 3, model: null, cost_micros: null, purpose: 'step' },
    { seq: 7, model: null, cost_micros: null, purpose: 'step' },
  ]);
  sql.run(
    `INSERT INTO sessions (id, project_id, project_path, title, mode, parent_id, created_at, updated_at)
     VALUES ('c', 'p', '/p', 'Child', 'ask', 's', 1, 1)`,
  );
  sql.run("DELETE FROM sessions WHERE id = 's'");
  expect(sql.all('SELECT id FROM sessions')).toEqual([{ id: 't' }]);
  sql.close();
  rmSync(dir, { recursive: true, force: true });
});
