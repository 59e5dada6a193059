import { z } from 'zod';
import { ChangeAuthor } from '../../../shared/model/change';
import { fromJson, parseRows, type Sql } from './sql';

type CommandAuthor = Extract<ChangeAuthor, { kind: 'command' }>;

/** A command whose effects are not in the log yet. */
export interface RunningCommand {
  id: string;
  /** The process of Lathe that runs it, and when that started. */
  pid: number;
  processStarted: string;
  at: number;
  author: CommandAuthor;
}

/** Commands that may be changing files: what a killed process leaves is theirs. */
export interface CommandStore {
  begin(projectId: string, command: RunningCommand): void;
  end(id: string): void;
  list(projectId: string): RunningCommand[];
}

const Row = z
  .object({
    id: z.string(),
    pid: z.int(),
    process_started: z.string(),
    at: z.int(),
    author: z.string().transform(fromJson).pipe(ChangeAuthor),
  })
  .transform(({ process_started, ...row }) => ({ ...row, processStarted: process_started }));

export function createCommandStore(sql: Sql): CommandStore {
  return {
    begin: (projectId, { id, pid, processStarted, at, author }) => {
      sql.run(
        `INSERT OR REPLACE INTO running_commands (id, project_id, pid, process_started, at, author) VALUES (?, ?, ?, ?, ?, ?)`,
        ...[id, projectId, pid, processStarted, at, JSON.stringify(author)],
      );
    },
    end: (id) => {
      sql.run('DELETE FROM running_commands WHERE id = ?', id);
    },
    list: (projectId) =>
      parseRows(
        Row,
        sql.all(
          'SELECT id, pid, process_started, at, author FROM running_commands WHERE project_id = ? ORDER BY at',
          projectId,
        ),
      ).items.flatMap((row) => (row.author.kind === 'command' ? [{ ...row, author: row.author }] : [])),
  };
}
