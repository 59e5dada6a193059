import type { SessionView } from '../../../shared/model/session-view';
import { isOpenPlan, planText } from '../../../shared/model/plan';

/** Older plans than these are not carried along. */
const KEPT = 3;

/**
 * The plans of a session that still have something to do, word for word, to be kept over a compaction; '' when there are
 * none. Newest last.
 */
export function plansVerbatim({ view }: { view: Pick<SessionView, 'plans'> }): string {
  const open = view.plans.filter(isOpenPlan).slice(-KEPT);
  return open
    .map(
      (plan) =>
        `Plan ${plan.planId} (${plan.state === 'building' ? 'being built' : 'not yet agreed'}):\n${planText(plan)}`,
    )
    .join('\n\n');
}
