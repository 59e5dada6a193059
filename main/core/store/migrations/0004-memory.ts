import type { Migration } from '../migrate';

/** Frozen: stores with these tables exist on people's disks. Changes go into a new file. */
export const memoryTables: Migration = {
  version: 4,
  sql: `
    CREATE TABLE memory_notes (
      id INTEGER PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      session_id TEXT,
      source TEXT NOT NULL,
      at INTEGER NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX memory_notes_text ON memory_notes (project_id, text);
    CREATE VIRTUAL TABLE memory_search USING fts5 (
      text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER memory_notes_removed AFTER DELETE ON memory_notes BEGIN
      DELETE FROM memory_search WHERE rowid = old.id;
    END;
  `,
};
