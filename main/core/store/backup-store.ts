import { z } from 'zod';
import { parseRows, type Sql } from './sql';
import type { BackupStore } from './types';

const Row = z
  .object({
    path: z.string(),
    base_hash: z.string().nullable(),
    text: z.string(),
    cursor_line: z.int(),
    cursor_column: z.int(),
    saved_at: z.int(),
  })
  .transform((row) => ({
    path: row.path,
    baseHash: row.base_hash,
    text: row.text,
    cursorLine: row.cursor_line,
    cursorColumn: row.cursor_column,
    savedAt: row.saved_at,
  }));

/** Unsaved editor text per project and path; keeping replaces what was kept for the path. */
export function createBackupStore(sql: Sql): BackupStore {
  return {
    has: (projectId, path) =>
      sql.get('SELECT 1 FROM backups WHERE project_id = ? AND path = ?', projectId, path) !== undefined,
    list: (projectId) =>
      parseRows(
        Row,
        sql.all(
          `SELECT path, base_hash, text, cursor_line, cursor_column, saved_at FROM backups
           WHERE project_id = ? ORDER BY path`,
          projectId,
        ),
      ).items,
    keep: (projectId, backup) => {
      sql.run(
        `INSERT OR REPLACE INTO backups (project_id, path, base_hash, text, cursor_line, cursor_column, saved_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        projectId,
        backup.path,
        backup.baseHash,
        backup.text,
        backup.cursorLine,
        backup.cursorColumn,
        Date.now(),
      );
    },
    drop: (projectId, path) => {
      sql.run('DELETE FROM backups WHERE project_id = ? AND path = ?', projectId, path);
    },
  };
}
