import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useSession } from './chat-context';
import { planState, useBuild } from './plan-card';
import './plan.css';
import type { Plan } from '../../../shared/model/plan';

/** The newest plan that waits to be built, over the message box, wherever the reader is. */
export function PlanStrip() {
  const session = useSession();
  const plan = useStore(session.state, ({ view }) => {
    const last = view.plans.at(-1);
    return last?.state === 'draft' ? last : null;
  });
  return plan ? <PlanReady plan={plan} /> : null;
}

function PlanReady({ plan }: { plan: Plan }) {
  const { ready, busy, build } = useBuild(plan);
  if (!ready) return null;
  return (
    <div className="pl-strip" role="group" aria-label="Plan">
      <Icon name="list-ordered" size={14} />
      <span className="ui-clip">{plan.title}</span>
      <span className="ui-soft pl-strip-count">{planState(plan)}</span>
      <Button className="pl-strip-build" size="small" busy={busy} onClick={build}>
        Build this
      </Button>
    </div>
  );
}
