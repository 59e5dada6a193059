import { z } from 'zod';
import { AppError } from '../../../shared/error';
import { ItemMark, type CompactionRecord, type ContextStore } from '../context/records';
import { fromJson, parseRows, type Sql } from './sql';
import { NOT_VOIDED } from './window-store';

const CompactionRow = z
  .object({
    id: z.string(),
    session_id: z.string(),
    tier: z.enum(['between_turns', 'full']),
    focus: z.string(),
    prefix_hash: z.string(),
    replaced_count: z.int().min(1),
    summary: z.string(),
    kept: z.string(),
    made_by: z.string(),
    before_tokens: z.int(),
    after_tokens: z.int(),
    at: z.int(),
    undone_at: z.int().nullable(),
  })
  .transform((row): CompactionRecord => ({
    id: row.id,
    sessionId: row.session_id,
    tier: row.tier,
    focus: row.focus,
    prefixHash: row.prefix_hash,
    replacedCount: row.replaced_count,
    summary: row.summary,
    kept: row.kept,
    madeBy: row.made_by,
    beforeTokens: row.before_tokens,
    afterTokens: row.after_tokens,
    at: row.at,
    undoneAt: row.undone_at,
  }));

const SaidRow = z
  .object({
    payload: z
      .string()
      .transform(fromJson)
      .pipe(z.object({ messageId: z.string(), text: z.string() })),
  })
  .transform(({ payload }) => payload);

const MarkRow = z.object({ item_id: z.string(), mark: ItemMark });

function add(sql: Sql, record: CompactionRecord): void {
  sql.run(
    `INSERT INTO context_compactions (id, session_id, tier, focus, prefix_hash, replaced_count, summary, kept, made_by,
       before_tokens, after_tokens, at, undone_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    record.id,
    record.sessionId,
    record.tier,
    record.focus,
    record.prefixHash,
    record.replacedCount,
    record.summary,
    record.kept,
    record.madeBy,
    record.beforeTokens,
    record.afterTokens,
    record.at,
    record.undoneAt,
  );
}

/** Compactions and marks of sessions. Unreadable rows count as not there: the whole history is used then. */
export function createContextStore(sql: Sql): ContextStore {
  return {
    compactions: (sessionId) =>
      parseRows(
        CompactionRow,
        sql.all('SELECT * FROM context_compactions WHERE session_id = ? ORDER BY at, rowid', sessionId),
      ).items,
    addCompaction: (record) => add(sql, record),
    undoCompaction: (sessionId, id, at) => {
      const { changes } = sql.run(
        `UPDATE context_compactions SET undone_at = ? WHERE session_id = ? AND id = ? AND undone_at IS NULL`,
        at,
        sessionId,
        id,
      );
      if (changes > 0) return;
      throw new AppError('not_found', 'There is no such compaction, or it was undone already.');
    },
    userTexts: (sessionId) =>
      parseRows(
        SaidRow,
        sql.all(
          `SELECT payload FROM events e WHERE session_id = ? AND type IN ('turn.started', 'interjection')
             AND ${NOT_VOIDED} ORDER BY seq`,
          sessionId,
        ),
      ).items.filter(({ text }) => text.trim() !== ''),
    marks: (sessionId) =>
      new Map(
        parseRows(
          MarkRow,
          sql.all('SELECT item_id, mark FROM context_marks WHERE session_id = ?', sessionId),
        ).items.map(({ item_id, mark }) => [item_id, mark]),
      ),
    setMark: (sessionId, itemId, mark) => {
      if (mark === null) {
        sql.run('DELETE FROM context_marks WHERE session_id = ? AND item_id = ?', sessionId, itemId);
        return;
      }
      sql.run(
        'INSERT OR REPLACE INTO context_marks (session_id, item_id, mark, at) VALUES (?, ?, ?, ?)',
        sessionId,
        itemId,
        mark,
        Date.now(),
      );
    },
  };
}
