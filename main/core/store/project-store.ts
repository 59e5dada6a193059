import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { parseRow, parseRows, type Sql } from './sql';
import type { ProjectStore, StoredProject } from './types';

const Row = z
  .object({
    id: z.string(),
    path: z.string(),
    name: z.string(),
    device: z.string().nullable(),
    inode: z.string().nullable(),
    is_tour: z.int(),
    last_opened_at: z.int(),
  })
  .transform((row): StoredProject => ({
    id: row.id,
    path: row.path,
    name: row.name,
    device: row.device,
    inode: row.inode,
    isTour: row.is_tour !== 0,
    lastOpenedAt: row.last_opened_at,
  }));

const COLUMNS = 'id, path, name, device, inode, is_tour, last_opened_at';

type Facts = Parameters<ProjectStore['open']>[1];

/** The row at this path, else the one with the same device and inode: a folder that was renamed (case-H04). */
function findId(sql: Sql, path: string, facts: Facts): string | null {
  const byPath = parseRow(Row, sql.get(`SELECT ${COLUMNS} FROM projects WHERE path = ?`, path));
  if (byPath) return byPath.id;
  if (facts.device === null || facts.inode === null) return null;
  const query = `SELECT ${COLUMNS} FROM projects WHERE device = ? AND inode = ? ORDER BY last_opened_at DESC LIMIT 1`;
  return parseRow(Row, sql.get(query, facts.device, facts.inode))?.id ?? null;
}

function write(sql: Sql, id: string, path: string, facts: Facts): void {
  sql.run(
    `INSERT INTO projects (id, path, name, device, inode, is_tour, is_forgotten, last_opened_at)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?)
     ON CONFLICT (id) DO UPDATE SET path = excluded.path, name = excluded.name, device = excluded.device,
       inode = excluded.inode, is_tour = excluded.is_tour, is_forgotten = 0, last_opened_at = excluded.last_opened_at`,
    id,
    path,
    facts.name,
    facts.device,
    facts.inode,
    facts.isTour ? 1 : 0,
    Date.now(),
  );
}

/** Projects by id. Forgetting hides a project from the recent ones; its sessions stay and come back on opening it. */
export function createProjectStore(sql: Sql): ProjectStore {
  const byId = (id: string): StoredProject | null =>
    parseRow(Row, sql.get(`SELECT ${COLUMNS} FROM projects WHERE id = ?`, id));
  const byPath = (path: string): StoredProject | null =>
    parseRow(Row, sql.get(`SELECT ${COLUMNS} FROM projects WHERE path = ?`, path));
  const mustGet = (id: string, path: string): StoredProject => {
    const project = byId(id);
    if (!project) throw new AppError('internal', `The project row of ${path} can't be read back.`);
    return project;
  };
  return {
    byId,
    open: (path, facts) =>
      sql.transaction(() => {
        const id = findId(sql, path, facts) ?? randomUUID();
        write(sql, id, path, facts);
        return mustGet(id, path);
      }),
    byPath,
    ensure: (path) => {
      const known = byPath(path);
      if (known) return known;
      const id = randomUUID();
      sql.run(
        'INSERT INTO projects (id, path, name, is_forgotten, last_opened_at) VALUES (?, ?, ?, 1, 0)',
        id,
        path,
        basename(path) || path,
      );
      return mustGet(id, path);
    },
    recent: (limit) =>
      parseRows(
        Row,
        sql.all(
          `SELECT ${COLUMNS} FROM projects WHERE is_forgotten = 0 ORDER BY last_opened_at DESC, rowid DESC LIMIT ?`,
          limit,
        ),
      ).items,
    forget: (id) => {
      sql.run('UPDATE projects SET is_forgotten = 1 WHERE id = ?', id);
    },
  };
}
