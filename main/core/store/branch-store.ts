import { z } from 'zod';
import { createBranchPoints, end, type BranchPoint, type BranchPoints } from './branch-points';
import { parseRow, type Sql } from './sql';

/** Rows copied in one transaction; large ones count for more by {@link SLICE_BYTES}. */
const SLICE_ROWS = 400;
const SLICE_BYTES = 2_000_000;

export interface NewBranch {
  id: string;
  /** The session it is copied from. */
  from: string;
  title: string;
  /** Who chose the title. */
  titleBy: 'user' | 'message';
  /** The line that lists show under the title. */
  lastFact: string;
}

/** What forks and rewinds need of a session's rows. */
export interface BranchStore extends BranchPoints {
  /** Makes the session a fork is copied into; no list shows it until `reveal`. */
  begin(branch: NewBranch): void;
  /** Copies the next rows before `until`; false when all are there. */
  copyNext(branch: NewBranch, until: BranchPoint): boolean;
  /** Shows the finished session. */
  reveal(id: string): void;
  /** Removes what copies that never were finished left behind more than an hour ago. */
  dropUnfinished(): void;
}

const UNFINISHED_MS = 3_600_000;

function begin(sql: Sql, { id, from, title, titleBy, lastFact }: NewBranch): void {
  const now = Date.now();
  sql.run(
    `INSERT INTO sessions (id, project_id, project_path, title, title_by, mode, model, agent, last_fact, forked_from,
       is_hidden, created_at, updated_at)
     SELECT ?, project_id, project_path, ?, ?, mode, model, agent, ?, id, 1, ?, ? FROM sessions WHERE id = ?`,
    id,
    title,
    titleBy,
    lastFact,
    now,
    now,
    from,
  );
}

const Last = z.object({ last: z.int().nullable() });

/** The last row of the next slice: as many rows as fit into its bytes, at least one. */
function sliceEnd(sql: Sql, table: 'events' | 'messages', sessionId: string, after: number, until: number) {
  const [key, text] = table === 'events' ? ['seq', 'payload'] : ['position', 'message'];
  return parseRow(
    Last,
    sql.get(
      `SELECT max(key) AS last FROM (
         SELECT ${key} AS key, sum(length(${text})) OVER (ORDER BY ${key}) - length(${text}) AS before
         FROM (SELECT ${key}, ${text} FROM ${table} WHERE session_id = ? AND ${key} > ? AND ${key} < ?
               ORDER BY ${key} LIMIT ${SLICE_ROWS}))
       WHERE before < ${SLICE_BYTES}`,
      sessionId,
      after,
      until,
    ),
  )?.last;
}

function copyEvents(sql: Sql, { id, from }: NewBranch, done: number, until: number): boolean {
  const last = sliceEnd(sql, 'events', from, done, until);
  if (last == null) return false;
  sql.run(
    `INSERT INTO events (session_id, seq, turn_id, at, type, payload)
     SELECT ?, seq, turn_id, at, type, payload FROM events WHERE session_id = ? AND seq > ? AND seq <= ?`,
    id,
    from,
    done,
    last,
  );
  sql.run('UPDATE sessions SET last_seq = ? WHERE id = ?', last, id);
  return true;
}

function copyMessages(sql: Sql, { id, from }: NewBranch, done: number, until: number): boolean {
  const last = sliceEnd(sql, 'messages', from, done, until);
  if (last == null) return false;
  sql.run(
    `INSERT INTO messages (session_id, position, id, turn_id, at, message, voided_by)
     SELECT ?, position, id, turn_id, at, message, voided_by FROM messages
     WHERE session_id = ? AND position > ? AND position <= ?`,
    id,
    from,
    done,
    last,
  );
  // Counted slice by slice: reading the roles of a long session at once would take too long.
  sql.run(
    `UPDATE sessions SET last_position = ?, message_count = message_count + (
       SELECT count(*) FROM messages WHERE session_id = sessions.id AND position > ? AND position <= ?
         AND voided_by IS NULL AND json_valid(message) AND message ->> '$.role' IN ('user', 'assistant'))
     WHERE id = ?`,
    last,
    done,
    last,
    id,
  );
  return true;
}

function copyNext(sql: Sql, branch: NewBranch, until: BranchPoint): boolean {
  return sql.transaction(() => {
    const done = end(sql, branch.id);
    return (
      copyEvents(sql, branch, done.seq - 1, until.seq) ||
      copyMessages(sql, branch, done.position - 1, until.position)
    );
  });
}

/** What belongs to the rows that were copied: rewinds, anchors, the count of messages, the queue of the search. */
function reveal(sql: Sql, id: string): void {
  sql.transaction(() => {
    sql.run(
      `INSERT INTO rewinds (session_id, seq, to_seq, to_position)
       SELECT s.id, r.seq, r.to_seq, r.to_position FROM sessions s JOIN rewinds r ON r.session_id = s.forked_from
       WHERE s.id = ? AND r.seq <= s.last_seq`,
      id,
    );
    sql.run(
      `INSERT OR IGNORE INTO view_anchors (session_id, seq, items)
       SELECT s.id, a.seq, a.items FROM sessions s JOIN view_anchors a ON a.session_id = s.forked_from
       WHERE s.id = ? AND a.seq <= s.last_seq`,
      id,
    );
    // Compactions go by the text they replace: where the fork lacks some of it, they do not count.
    sql.run(
      `INSERT INTO context_compactions (id, session_id, tier, focus, prefix_hash, replaced_count, summary, kept, made_by,
         before_tokens, after_tokens, at, undone_at)
       SELECT lower(hex(randomblob(16))), s.id, c.tier, c.focus, c.prefix_hash, c.replaced_count, c.summary, c.kept,
         c.made_by, c.before_tokens, c.after_tokens, c.at, c.undone_at
       FROM sessions s JOIN context_compactions c ON c.session_id = s.forked_from
       WHERE s.id = ? AND c.replaced_count <= s.last_position ORDER BY c.at, c.rowid`,
      id,
    );
    sql.run(
      `INSERT INTO context_marks (session_id, item_id, mark, at)
       SELECT s.id, m.item_id, m.mark, m.at FROM sessions s JOIN context_marks m ON m.session_id = s.forked_from
       WHERE s.id = ?`,
      id,
    );
    // What the original voided after the fork's end is alive in the fork.
    sql.run(
      `UPDATE messages SET voided_by = NULL WHERE session_id = ? AND voided_by >
         (SELECT last_seq FROM sessions WHERE id = messages.session_id)`,
      id,
    );
    sql.run('UPDATE sessions SET is_hidden = 0, indexed_position = last_position WHERE id = ?', id);
    sql.run(
      `INSERT INTO search_pending (session_id, next_position)
       SELECT id, last_position FROM sessions WHERE id = ? AND last_position > 0`,
      id,
    );
  });
}

export function createBranchStore(sql: Sql): BranchStore {
  return {
    ...createBranchPoints(sql),
    begin: (branch) => begin(sql, branch),
    copyNext: (branch, until) => copyNext(sql, branch, until),
    reveal: (id) => reveal(sql, id),
    dropUnfinished: () => {
      sql.run('DELETE FROM sessions WHERE is_hidden = 1 AND created_at < ?', Date.now() - UNFINISHED_MS);
    },
  };
}
