import type { ApprovalAnswer, DecidedBy, PendingApproval } from '../../shared/model/approval';
import type { Mode } from '../../shared/model/mode';
import type { SessionSummary } from '../../shared/model/session';
import type { TurnEvent } from '../../shared/model/turn-event';

/** What the REST routes use of the core: sessions, turns and the two kinds of pending questions. */
export interface WebCore {
  readonly sessions: {
    list(query?: string): SessionSummary[];
    create(options: { mode: Mode; model: string | null }): SessionSummary;
    rename(id: string, title: string): SessionSummary | void;
    remove(id: string): Promise<void>;
    configure(id: string, change: { mode?: Mode }): unknown;
  };
  readonly turns: {
    start(options: { sessionId: string; text: string }): { turnId: string } | Promise<{ turnId: string }>;
    interject(sessionId: string, text: string): void | Promise<void>;
    stop(sessionId: string): Promise<void>;
  };
  subscribe(sessionId: string, listener: (event: TurnEvent) => void): () => void;
  readonly approvals: {
    pending(): readonly PendingApproval[];
    reply(id: string, answer: ApprovalAnswer, by: DecidedBy): boolean;
  };
  readonly questions: { reply(id: string, answer: string): boolean };
}

/** The part of a logger that hosts need. */
export interface HostLog {
  error(message: string, detail?: Record<string, unknown>): void;
}

/** A thrown value as the facts of a log line: an Error alone would be written as `{}`. */
export const errorDetail = (error: unknown): { error: string } => ({
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
});
