import type { Migration } from '../migrate';

/**
 * Frozen: a store made by this text exists on people's disks. Changes go into a new file.
 *
 * Money is kept in millionths of a US dollar.
 */
export const subagentsAndBudget: Migration = {
  version: 5,
  sql: `
    ALTER TABLE sessions ADD COLUMN agent TEXT;
    ALTER TABLE sessions ADD COLUMN parent_id TEXT REFERENCES sessions (id) ON DELETE CASCADE;
    ALTER TABLE sessions ADD COLUMN parent_call_id TEXT;
    ALTER TABLE sessions ADD COLUMN max_steps INTEGER;
    ALTER TABLE sessions ADD COLUMN cost_micros INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN spent_tokens INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN budget_micros INTEGER;
    ALTER TABLE sessions ADD COLUMN budget_tokens INTEGER;
    CREATE INDEX sessions_parent ON sessions (parent_id);

    ALTER TABLE usage ADD COLUMN model TEXT;
    ALTER TABLE usage ADD COLUMN cost_micros INTEGER;
    ALTER TABLE usage ADD COLUMN purpose TEXT NOT NULL DEFAULT 'step';
    UPDATE sessions SET spent_tokens =
      (SELECT coalesce(sum(input_tokens + output_tokens), 0) FROM usage WHERE usage.session_id = sessions.id);
  `,
};
