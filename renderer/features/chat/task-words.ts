import type { SessionSummary } from '../../../shared/model/session';
import type { CallView } from '../../../shared/model/session-view';
import type { CallState } from '../../../shared/model/turn-event';
import { formatTokens } from '../../lib/format';
import { formatMoney } from '../../lib/money';

type Facts = Pick<SessionSummary, 'activity' | 'lastFact' | 'costMicros' | 'spentTokens'>;

/** True while the subagent works, waits for the user or for a free place. */
export const isTaskLive = (child: Facts | undefined): boolean =>
  child !== undefined &&
  (child.activity === 'running' || child.activity === 'waiting' || child.lastFact === 'queued');

/** The sign of a subagent: what it does itself counts, since a background call has ended long before it. */
export function taskState(call: CallView, child: Facts | undefined): CallState {
  if (child?.activity === 'waiting') return 'awaiting_approval';
  if (child?.activity === 'running') return 'running';
  if (child?.activity === 'failed') return 'error';
  if (child?.lastFact === 'queued') return 'validating';
  if (child?.lastFact === 'stopped by you') return 'cancelled';
  return call.state;
}

/** Where it stands and what it took, for example "step 3 of at most 15 · 12k tokens · $0.0042". */
export function taskFacts(child: Facts | undefined): string {
  if (!child) return '';
  const facts = [isTaskLive(child) ? child.lastFact : ''];
  if (child.spentTokens > 0) facts.push(`${formatTokens(child.spentTokens)} tokens`);
  if (child.costMicros > 0) facts.push(formatMoney(child.costMicros));
  return facts.filter((fact) => fact !== '').join(' · ');
}
