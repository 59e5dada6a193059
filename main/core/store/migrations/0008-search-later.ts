import type { Migration } from '../migrate';

/**
 * Frozen: stores with this column exist on people's disks. Changes go into a new file.
 *
 * Messages are put into the search a moment after they are stored, so that no turn waits for it: up to which one is kept
 * per session. Those of before are in it, or wait in `search_pending`.
 */
export const searchLater: Migration = {
  version: 8,
  sql: `
    ALTER TABLE sessions ADD COLUMN indexed_position INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET indexed_position = last_position;
  `,
};
