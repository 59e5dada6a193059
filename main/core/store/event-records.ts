import type { TurnEvent } from '../../../shared/model/turn-event';
import { recordRewind } from './rewind-records';
import type { Sql } from './sql';

type EventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>;

function recordAsked(sql: Sql, { sessionId, approval }: EventOf<'approval.asked'>): void {
  sql.run(
    'INSERT OR REPLACE INTO approvals (id, session_id, call_id, digest, asked_at) VALUES (?, ?, ?, ?, ?)',
    approval.id,
    sessionId,
    approval.callId,
    approval.digest,
    approval.askedAt,
  );
}

function recordReplied(sql: Sql, event: EventOf<'approval.replied'>): void {
  sql.run(
    'UPDATE approvals SET answer = ?, decided_by = ?, answered_at = ? WHERE session_id = ? AND id = ?',
    event.answer,
    event.by,
    event.at,
    event.sessionId,
    event.approvalId,
  );
}

function recordUsage(sql: Sql, event: EventOf<'usage'>): void {
  sql.run(
    `INSERT INTO usage (session_id, seq, at, input_tokens, output_tokens, cached_tokens, is_estimated, model,
       cost_micros, purpose)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.sessionId,
    event.seq,
    event.at,
    event.inputTokens,
    event.outputTokens,
    event.cachedTokens ?? null,
    event.estimated ? 1 : 0,
    event.model ?? null,
    event.costMicros ?? null,
    event.purpose ?? 'step',
  );
  sql.run(
    'UPDATE sessions SET cost_micros = cost_micros + ?, spent_tokens = spent_tokens + ? WHERE id = ?',
    event.costMicros ?? 0,
    event.inputTokens + event.outputTokens,
    event.sessionId,
  );
}

function recordCompaction(sql: Sql, event: EventOf<'compaction'>): void {
  sql.run(
    'INSERT INTO compactions (session_id, seq, at, tier, before_tokens, after_tokens) VALUES (?, ?, ?, ?, ?, ?)',
    event.sessionId,
    event.seq,
    event.at,
    event.tier,
    event.beforeTokens,
    event.afterTokens,
  );
}

/** Keeps the audit and statistics tables in step with the log, in the transaction that stores the event. */
export function recordEvent(sql: Sql, event: TurnEvent): void {
  if (event.type === 'approval.asked') recordAsked(sql, event);
  else if (event.type === 'approval.replied') recordReplied(sql, event);
  else if (event.type === 'usage') recordUsage(sql, event);
  else if (event.type === 'compaction') recordCompaction(sql, event);
  else if (event.type === 'session.rewound') recordRewind(sql, event);
}
