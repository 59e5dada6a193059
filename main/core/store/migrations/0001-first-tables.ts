import type { Migration } from '../migrate';

/** Frozen: a store made by this text exists on people's disks. Changes go into a new file. */
export const firstTables: Migration = {
  version: 1,
  sql: `
    CREATE TABLE projects (
      id TEXT PRIMARY KEY,
      path TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      device TEXT,
      inode TEXT,
      is_tour INTEGER NOT NULL DEFAULT 0,
      is_forgotten INTEGER NOT NULL DEFAULT 0,
      last_opened_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX projects_inode ON projects (device, inode);
    CREATE INDEX projects_recent ON projects (last_opened_at);

    CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      project_path TEXT NOT NULL,
      title TEXT NOT NULL,
      mode TEXT NOT NULL,
      model TEXT,
      activity TEXT NOT NULL DEFAULT 'idle',
      last_fact TEXT NOT NULL DEFAULT '',
      message_count INTEGER NOT NULL DEFAULT 0,
      last_seq INTEGER NOT NULL DEFAULT 0,
      last_position INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sessions_project ON sessions (project_id, updated_at);
    CREATE INDEX sessions_recent ON sessions (updated_at);
    CREATE INDEX sessions_activity ON sessions (activity);

    CREATE TABLE events (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      turn_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      payload TEXT NOT NULL,
      PRIMARY KEY (session_id, seq)
    ) STRICT;

    CREATE TABLE messages (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      turn_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      message TEXT NOT NULL,
      PRIMARY KEY (session_id, position),
      UNIQUE (session_id, id)
    ) STRICT;

    CREATE TABLE views (
      session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      view TEXT NOT NULL
    ) STRICT;

    CREATE TABLE grants (
      id TEXT PRIMARY KEY,
      action TEXT NOT NULL,
      resource TEXT NOT NULL,
      effect TEXT NOT NULL,
      scope TEXT NOT NULL,
      session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    ) STRICT;
    CREATE INDEX grants_session ON grants (session_id);

    CREATE TABLE approvals (
      id TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      call_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      answer TEXT,
      decided_by TEXT,
      asked_at INTEGER NOT NULL,
      answered_at INTEGER,
      PRIMARY KEY (session_id, id)
    ) STRICT;

    CREATE TABLE usage (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      input_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      cached_tokens INTEGER,
      is_estimated INTEGER NOT NULL,
      PRIMARY KEY (session_id, seq)
    ) STRICT;

    CREATE TABLE compactions (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      tier TEXT NOT NULL,
      before_tokens INTEGER NOT NULL,
      after_tokens INTEGER NOT NULL,
      PRIMARY KEY (session_id, seq)
    ) STRICT;

    CREATE TABLE learned_windows (
      provider TEXT NOT NULL,
      model TEXT NOT NULL,
      tokens INTEGER NOT NULL,
      learned_at INTEGER NOT NULL,
      PRIMARY KEY (provider, model)
    ) STRICT;

    CREATE TABLE state (
      scope TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (scope, key)
    ) STRICT;

    CREATE TABLE backups (
      project_id TEXT NOT NULL,
      path TEXT NOT NULL,
      base_hash TEXT,
      text TEXT NOT NULL,
      cursor_line INTEGER NOT NULL,
      cursor_column INTEGER NOT NULL,
      saved_at INTEGER NOT NULL,
      PRIMARY KEY (project_id, path)
    ) STRICT;
  `,
};
