import type { Migration } from '../migrate';

/**
 * Frozen: stores with these tables exist on people's disks. Changes go into a new file.
 *
 * `running_commands` holds what a killed process would leave unsaid: a command that may write, until its effects are in
 * the log.
 */
export const changeLog: Migration = {
  version: 7,
  sql: `
    CREATE TABLE change_sets (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      session_id TEXT,
      turn_id TEXT,
      call_id TEXT,
      author TEXT NOT NULL,
      label TEXT NOT NULL,
      not_covered TEXT NOT NULL,
      is_reviewed INTEGER NOT NULL,
      undone_by TEXT
    ) STRICT;
    CREATE INDEX change_sets_project ON change_sets (project_id, seq);
    CREATE INDEX change_sets_call ON change_sets (session_id, turn_id, call_id);

    CREATE TABLE path_changes (
      set_seq INTEGER NOT NULL REFERENCES change_sets (seq) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      project_id TEXT NOT NULL,
      path TEXT NOT NULL,
      moved_from TEXT,
      before_hash TEXT,
      before TEXT,
      after_hash TEXT,
      after TEXT,
      PRIMARY KEY (set_seq, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX path_changes_path ON path_changes (project_id, path, set_seq);

    CREATE TABLE review_bases (
      project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      seq INTEGER NOT NULL,
      hash TEXT,
      PRIMARY KEY (project_id, path)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE running_commands (
      id TEXT PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      pid INTEGER NOT NULL,
      process_started TEXT NOT NULL,
      at INTEGER NOT NULL,
      author TEXT NOT NULL
    ) STRICT;
  `,
};
