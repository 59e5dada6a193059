import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { parseRow, parseRows, type Sql } from './sql';
import type { ProjectStore, StoredProject } from './types';

/** A folder of a project. One that is linked to another project counts as that one: they share their sessions. */
const Row = z
  .object({
    id: z.string(),
    linked_to: z.string().nullable(),
    path: z.string(),
    name: z.string(),
    device: z.string().nullable(),
    inode: z.string().nullable(),
    is_tour: z.int(),
    last_opened_at: z.int(),
    remote: z.string().nullable(),
    root_commit: z.string().nullable(),
  })
  .transform((row): StoredProject => ({
    id: row.linked_to ?? row.id,
    folderId: row.id,
    path: row.path,
    name: row.name,
    device: row.device,
    inode: row.inode,
    isTour: row.is_tour !== 0,
    lastOpenedAt: row.last_opened_at,
    remote: row.remote,
    rootCommit: row.root_commit,
  }));

const COLUMNS = 'id, linked_to, path, name, device, inode, is_tour, last_opened_at, remote, root_commit';

type Facts = Parameters<ProjectStore['open']>[1];

/** The row at this path, else the one with the same device and inode: a folder that was renamed (case-H04). */
function findRow(sql: Sql, path: string, facts: Facts): StoredProject | null {
  const byPath = parseRow(Row, sql.get(`SELECT ${COLUMNS} FROM projects WHERE path = ?`, path));
  if (byPath) return byPath;
  if (facts.device === null || facts.inode === null) return null;
  const query = `SELECT ${COLUMNS} FROM projects WHERE device = ? AND inode = ? ORDER BY last_opened_at DESC LIMIT 1`;
  return parseRow(Row, sql.get(query, facts.device, facts.inode));
}

function write(sql: Sql, folderId: string, path: string, facts: Facts): void {
  sql.run(
    `INSERT INTO projects (id, path, name, device, inode, is_tour, is_forgotten, last_opened_at)
     VALUES (?, ?, ?, ?, ?, ?, 0, ?)
     ON CONFLICT (id) DO UPDATE SET path = excluded.path, name = excluded.name, device = excluded.device,
       inode = excluded.inode, is_tour = excluded.is_tour, is_forgotten = 0, last_opened_at = excluded.last_opened_at`,
    folderId,
    path,
    facts.name,
    facts.device,
    facts.inode,
    facts.isTour ? 1 : 0,
    Date.now(),
  );
}

const moveSessions = (sql: Sql, from: string, to: string): void => {
  sql.run('UPDATE sessions SET project_id = ? WHERE project_id = ?', to, from);
};

/** The folder takes the place of one that is gone. */
function takePlace(sql: Sql, folder: StoredProject, other: StoredProject): void {
  moveSessions(sql, folder.folderId, other.id);
  sql.run('UPDATE projects SET linked_to = ? WHERE linked_to = ?', other.id, folder.folderId);
  sql.run('DELETE FROM projects WHERE id = ?', folder.folderId);
  sql.run(
    `UPDATE projects SET path = ?, name = ?, device = ?, inode = ?, is_forgotten = 0, last_opened_at = ?,
       remote = coalesce(?, remote), root_commit = coalesce(?, root_commit) WHERE id = ?`,
    folder.path,
    folder.name,
    folder.device,
    folder.inode,
    folder.lastOpenedAt,
    folder.remote,
    folder.rootCommit,
    other.folderId,
  );
}

/** Both folders stay, and count as one project. */
function link(sql: Sql, folder: StoredProject, other: StoredProject): void {
  moveSessions(sql, folder.folderId, other.id);
  sql.run(
    'UPDATE projects SET linked_to = ? WHERE id = ? OR linked_to = ?',
    other.id,
    folder.folderId,
    folder.folderId,
  );
}

/** The folder becomes a project of its own; what it was taken for stays where it was, without a folder. */
function split(sql: Sql, folder: StoredProject, formerPath: string): void {
  sql.run(
    'UPDATE projects SET path = ?, name = ?, device = NULL, inode = NULL WHERE id = ?',
    formerPath,
    basename(formerPath) || formerPath,
    folder.folderId,
  );
  write(sql, randomUUID(), folder.path, folder);
}

const Count = z.object({ n: z.int() });

/** Projects by id. Forgetting hides a project from the recent ones; its sessions stay and come back on opening it. */
export function createProjectStore(sql: Sql): ProjectStore {
  const one = (condition: string, value: string): StoredProject | null =>
    parseRow(Row, sql.get(`SELECT ${COLUMNS} FROM projects WHERE ${condition}`, value));
  const mustGet = (folderId: string): StoredProject => {
    const project = one('id = ?', folderId);
    if (!project) throw new AppError('internal', `The project row ${folderId} can't be read back.`);
    return project;
  };
  return {
    byId: (id) => one('id = ?', id),
    byPath: (path) => one('path = ?', path),
    open: (path, facts) =>
      sql.transaction(() => {
        const known = findRow(sql, path, facts);
        const folderId = known?.folderId ?? randomUUID();
        write(sql, folderId, path, facts);
        return { ...mustGet(folderId), movedFrom: known && known.path !== path ? known.path : null };
      }),
    ensure: (path) => {
      const known = one('path = ?', path);
      if (known) return known;
      const id = randomUUID();
      sql.run(
        'INSERT INTO projects (id, path, name, is_forgotten, last_opened_at) VALUES (?, ?, ?, 1, 0)',
        id,
        path,
        basename(path) || path,
      );
      return mustGet(id);
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
      sql.run('UPDATE projects SET is_forgotten = 1 WHERE id = ? OR linked_to = ?', id, id);
    },
    setRepository: (folderId, { remote, rootCommit }) => {
      sql.run('UPDATE projects SET remote = ?, root_commit = ? WHERE id = ?', remote, rootCommit, folderId);
    },
    sameRepository: (folder) =>
      parseRows(
        Row,
        sql.all(
          `SELECT ${COLUMNS} FROM projects p WHERE root_commit = ? AND linked_to IS NULL AND id <> ?
             AND NOT EXISTS (SELECT 1 FROM project_separations s WHERE s.project_id = ? AND s.other_id = p.id)
           ORDER BY last_opened_at DESC`,
          folder.rootCommit,
          folder.id,
          folder.folderId,
        ),
      ).items,
    sessionCount: (id) =>
      Count.parse(sql.get('SELECT count(*) AS n FROM sessions WHERE project_id = ? AND is_hidden = 0', id)).n,
    relink: (folder, other, otherIsGone) =>
      sql.transaction(() => {
        if (otherIsGone) takePlace(sql, folder, other);
        else link(sql, folder, other);
      }),
    split: (folder, formerPath) => sql.transaction(() => split(sql, folder, formerPath)),
    keepSeparate: (folderId, otherId) => {
      sql.run(
        'INSERT OR IGNORE INTO project_separations (project_id, other_id) VALUES (?, ?)',
        folderId,
        otherId,
      );
    },
  };
}
