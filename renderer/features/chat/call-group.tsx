import { memo, useId, useState } from 'react';
import type { CallView, StepView } from '../../../shared/model/session-view';
import { formatSpan } from '../../lib/format';
import { useSetting } from '../../lib/settings-store';
import { Icon } from '../../ui/icon';
import { CallChip, StateSign } from './call-chip';
import { CommandEffects } from './command-effects';
import { EditCard } from './edit-card';
import { foldDuration, foldState, foldSummary, foldTroubles, isFinal } from './fold-summary';
import { LabelText } from './label-text';
import { MessageImages } from './message-images';
import { PlanOfCall } from './plan-card';
import { TaskCard } from './task-card';

/** The answer and the to-do strip show what these did. */
const SILENT: ReadonlySet<string> = new Set(['attempt_completion', 'todo']);

const hidden = (call: CallView): boolean => SILENT.has(call.tool) && call.state !== 'error';
/** A finished edit is told by its diff card. */
const isCard = (call: CallView): boolean =>
  call.diffs.length > 0 && isFinal(call) && call.state === 'success' && call.changed === undefined;

const isPlan = (call: CallView): boolean => call.tool === 'create_plan' && call.state === 'success';

/** A step's calls: chips while it runs, one row when it is finished; edits as diff cards below. */
export const CallGroup = memo(function CallGroup({ step }: { step: StepView }) {
  const fold = useSetting('chat.foldFinishedSteps');
  const tasks = step.calls.filter((call) => call.child !== undefined);
  const plans = step.calls.filter(isPlan);
  const chips = step.calls.filter(
    (call) => !hidden(call) && !isCard(call) && !isPlan(call) && call.child === undefined,
  );
  const cards = step.calls.filter((call) => call.diffs.length > 0 && call.changed === undefined);
  const effects = step.calls.filter((call) => call.changed !== undefined);
  const settled = chips.every(isFinal);
  return (
    <>
      {chips.length > 1 && settled && fold && <FoldedCalls calls={chips} />}
      {chips.length > 1 && !(settled && fold) && <OpenCalls calls={chips} />}
      {chips.length === 1 && chips[0] && <CallChip call={chips[0]} />}
      {effects.map((call) => (
        <CommandEffects key={call.callId} call={call} />
      ))}
      {tasks.map((call) => (
        <TaskCard key={call.callId} call={call} />
      ))}
      {plans.map((call) => (
        <PlanOfCall key={call.callId} call={call} />
      ))}
      {cards.flatMap((call) =>
        call.diffs.map(({ diff, reverted }, i) => (
          <EditCard key={`${call.callId}-${i}`} callId={call.callId} diff={diff} reverted={reverted} />
        )),
      )}
    </>
  );
});

function OpenCalls({ calls }: { calls: readonly CallView[] }) {
  return (
    <div className="ch-chips">
      {calls.map((call) => (
        <CallChip key={call.callId} call={call} inner />
      ))}
    </div>
  );
}

function FoldedCalls({ calls }: { calls: readonly CallView[] }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const duration = foldDuration(calls);
  const troubles = foldTroubles(calls);
  return (
    <div className="ch-chips">
      <button
        type="button"
        className="ch-chip"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => setOpen(!open)}
      >
        <StateSign state={foldState(calls)} />
        <span className="ui-clip">
          <LabelText text={foldSummary(calls)} />
        </span>
        {troubles !== '' && <span className="ch-chip-trouble">{troubles}</span>}
        {duration !== null && <span className="ch-chip-time">{formatSpan(duration)}</span>}
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ch-chip-open ui-muted" />
      </button>
      {!open && <MessageImages images={calls.flatMap(({ images = [] }) => images)} />}
      {open && (
        <div id={bodyId} className="ch-chips-body">
          {calls.map((call) => (
            <CallChip key={call.callId} call={call} inner />
          ))}
        </div>
      )}
    </div>
  );
}
