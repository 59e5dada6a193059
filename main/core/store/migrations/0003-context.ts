import type { Migration } from '../migrate';

/** Compactions that can be undone, and what the user did to single items of the context. Frozen like every migration. */
export const contextTables: Migration = {
  version: 3,
  sql: `
    CREATE TABLE context_compactions (
      id TEXT PRIMARY KEY,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      tier TEXT NOT NULL,
      focus TEXT NOT NULL,
      prefix_hash TEXT NOT NULL,
      replaced_count INTEGER NOT NULL,
      summary TEXT NOT NULL,
      kept TEXT NOT NULL,
      made_by TEXT NOT NULL,
      before_tokens INTEGER NOT NULL,
      after_tokens INTEGER NOT NULL,
      at INTEGER NOT NULL,
      undone_at INTEGER
    ) STRICT;
    CREATE INDEX context_compactions_session ON context_compactions (session_id, at);

    CREATE TABLE context_marks (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      item_id TEXT NOT NULL,
      mark TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (session_id, item_id)
    ) STRICT;
  `,
};
