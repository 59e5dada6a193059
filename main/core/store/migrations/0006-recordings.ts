import type { Migration } from '../migrate';

/** Frozen: stores with these tables exist on people's disks. Changes go into a new file. */
export const recordings: Migration = {
  version: 6,
  sql: `
    CREATE TABLE recordings (
      id INTEGER PRIMARY KEY,
      session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      is_packed INTEGER NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    CREATE INDEX recordings_session ON recordings (session_id, id);
  `,
};
