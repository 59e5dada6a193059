import { z } from 'zod';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { unindexMessages } from './search-store';
import type { Sql } from './sql';

type Rewound = Extract<TurnEvent, { type: 'session.rewound' }>;

const Count = z.object({ n: z.int() });

/**
 * Voids what a rewind cuts off, in the transaction that stores its event: the messages stay stored but are loaded no more,
 * are found by no search and no longer count.
 */
export function recordRewind(sql: Sql, { sessionId, seq, toSeq, position }: Rewound): void {
  sql.run(
    'INSERT INTO rewinds (session_id, seq, to_seq, to_position) VALUES (?, ?, ?, ?)',
    sessionId,
    seq,
    toSeq,
    position,
  );
  const { n } = Count.parse(
    sql.get(
      `SELECT count(*) AS n FROM messages WHERE session_id = ? AND position >= ? AND voided_by IS NULL
         AND json_valid(message) AND message ->> '$.role' IN ('user', 'assistant')`,
      sessionId,
      position,
    ),
  );
  sql.run(
    'UPDATE messages SET voided_by = ? WHERE session_id = ? AND position >= ? AND voided_by IS NULL',
    seq,
    sessionId,
    position,
  );
  sql.run('UPDATE sessions SET message_count = max(0, message_count - ?) WHERE id = ?', n, sessionId);
  sql.run('DELETE FROM view_anchors WHERE session_id = ? AND seq >= ?', sessionId, toSeq);
  unindexMessages(sql, sessionId, position);
}
