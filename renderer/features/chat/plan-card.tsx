import { useId, useState } from 'react';
import { isOpenPlan, planText, type Plan } from '../../../shared/model/plan';
import type { CallView } from '../../../shared/model/session-view';
import { useClient } from '../../lib/client-context';
import { formatCount } from '../../lib/format';
import { useStore } from '../../lib/store';
import { CopyButton } from '../../lib/text/copy-button';
import { VisibleText } from '../../lib/text/visible-text';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { CallChip } from './call-chip';
import { useSession } from './chat-context';
import './plan.css';
import { PlanEditor } from './plan-editor';
import { TODO_SIGNS } from './todo-signs';

/** The plan that this call wrote, as it is now; only the call when a later one wrote it anew. */
export function PlanOfCall({ call }: { call: CallView }) {
  const session = useSession();
  const plan = useStore(
    session.state,
    ({ view }) => view.plans.find((each) => each.callId === call.callId) ?? null,
  );
  return plan ? <PlanCard plan={plan} /> : <CallChip call={call} />;
}

/** Starts the building of a plan; false in `ready` while a turn runs. */
export function useBuild(plan: Plan): { ready: boolean; busy: boolean; build: () => void } {
  const client = useClient();
  const session = useSession();
  const running = useStore(session.state, ({ view }) => view.live !== null);
  const [busy, setBusy] = useState(false);
  const build = (): void => {
    setBusy(true);
    client.plan
      .build({ sessionId: session.id, planId: plan.planId })
      .catch((error: unknown) => toastError(error, 'The plan is not being built'))
      .finally(() => setBusy(false));
  };
  return { ready: !running && isOpenPlan(plan), busy, build };
}

/** A plan with its steps; it can be edited and built. */
export function PlanCard({ plan }: { plan: Plan }) {
  const titleId = useId();
  const [editing, setEditing] = useState(false);
  const { ready, busy, build } = useBuild(plan);
  return (
    <section className="ch-card pl-card" aria-labelledby={titleId}>
      <div className="ch-card-head">
        <Icon name="list-ordered" size={14} />
        <span id={titleId} className="pl-title ui-clip">
          {plan.title}
        </span>
        <span className="ch-card-end ui-soft">{planState(plan)}</span>
      </div>
      {editing ? (
        <PlanEditor plan={plan} onDone={() => setEditing(false)} />
      ) : (
        <>
          <PlanSteps plan={plan} />
          <div className="pl-actions">
            {ready && (
              <Button variant="primary" size="small" busy={busy} onClick={build}>
                {plan.state === 'draft' ? 'Build this' : 'Go on building'}
              </Button>
            )}
            {ready && (
              <Button size="small" onClick={() => setEditing(true)}>
                Edit
              </Button>
            )}
            <CopyButton text={planText(plan)} label="Copy plan" />
          </div>
        </>
      )}
    </section>
  );
}

export function planState({ state, by, steps }: Plan): string {
  const counted = steps.filter(({ status }) => status !== 'cancelled');
  const done = counted.filter(({ status }) => status === 'completed').length;
  if (state === 'building' || done > 0) return `${done} of ${counted.length} done`;
  const edited = by === 'user' ? ', edited by you' : '';
  return `${formatCount(steps.length, 'step')}${edited}`;
}

function PlanSteps({ plan }: { plan: Plan }) {
  return (
    <ol className="pl-steps">
      {plan.steps.map((step, i) => (
        <li key={i} className={`pl-step pl-step-${step.status}`}>
          <Icon name={TODO_SIGNS[step.status].icon} size={14} label={TODO_SIGNS[step.status].word} />
          <span className="pl-text">
            <VisibleText text={step.text} />
          </span>
        </li>
      ))}
    </ol>
  );
}
