import type { Migration } from '../migrate';

/**
 * Frozen: stores with these tables exist on people's disks. Changes go into a new file.
 *
 * Sessions can be forked, imported and rewound; older items of a view are found by anchors; the text of all messages is
 * searchable (messages from before are indexed bit by bit, see `search_pending`); projects are known by their repository.
 */
export const branchesAndSearch: Migration = {
  version: 2,
  sql: `
    ALTER TABLE sessions ADD COLUMN title_by TEXT NOT NULL DEFAULT 'message';
    ALTER TABLE sessions ADD COLUMN origin TEXT;
    ALTER TABLE sessions ADD COLUMN origin_id TEXT;
    ALTER TABLE sessions ADD COLUMN forked_from TEXT;
    ALTER TABLE sessions ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0;
    -- Who named the sessions of before is not known: a name that a person may have given is never replaced.
    UPDATE sessions SET title_by = 'user' WHERE title <> 'New session';
    CREATE UNIQUE INDEX sessions_origin ON sessions (origin, origin_id) WHERE origin_id IS NOT NULL;

    ALTER TABLE messages ADD COLUMN voided_by INTEGER;
    CREATE INDEX messages_turn ON messages (session_id, turn_id, position);

    CREATE INDEX events_marks ON events (session_id, type, seq)
      WHERE type = 'turn.started' OR type = 'todo.changed' OR type = 'diff.reverted';

    CREATE TABLE rewinds (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      to_seq INTEGER NOT NULL,
      to_position INTEGER NOT NULL,
      PRIMARY KEY (session_id, seq)
    ) STRICT;

    CREATE TABLE view_anchors (
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      items INTEGER NOT NULL,
      PRIMARY KEY (session_id, seq)
    ) STRICT;
    CREATE INDEX view_anchors_items ON view_anchors (session_id, items);

    CREATE TABLE search_docs (
      id INTEGER PRIMARY KEY,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      position INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX search_docs_session ON search_docs (session_id, position);
    CREATE VIRTUAL TABLE message_search USING fts5 (
      text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER search_docs_removed AFTER DELETE ON search_docs BEGIN
      DELETE FROM message_search WHERE rowid = old.id;
    END;

    CREATE TABLE search_pending (
      session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      next_position INTEGER NOT NULL
    ) STRICT;
    INSERT INTO search_pending (session_id, next_position)
      SELECT id, last_position FROM sessions WHERE last_position > 0;

    ALTER TABLE projects ADD COLUMN remote TEXT;
    ALTER TABLE projects ADD COLUMN root_commit TEXT;
    ALTER TABLE projects ADD COLUMN linked_to TEXT;
    CREATE INDEX projects_root_commit ON projects (root_commit) WHERE root_commit IS NOT NULL;
    CREATE TABLE project_separations (
      project_id TEXT NOT NULL,
      other_id TEXT NOT NULL,
      PRIMARY KEY (project_id, other_id)
    ) STRICT;
  `,
};
