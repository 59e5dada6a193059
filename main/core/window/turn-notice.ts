import type { SessionSummary } from '../../../shared/model/session';
import type { TurnEnd } from '../turn/turn-types';

/** The OS notification of a turn that ended while nobody looked. Plain text; the title is the session's. */
export function turnNotice(
  summary: SessionSummary,
  end: TurnEnd,
): { title: string; body: string; sessionId: string } {
  const body = end.reason === 'error' ? `Failed: ${summary.lastFact}` : summary.lastFact;
  return { title: summary.title, body: body.slice(0, 200), sessionId: summary.id };
}
