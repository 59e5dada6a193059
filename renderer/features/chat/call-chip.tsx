import { memo, useId, useState } from 'react';
import type { CallView } from '../../../shared/model/session-view';
import type { CallState } from '../../../shared/model/turn-event';
import { useNow } from '../../lib/clock';
import { formatClock, formatSpan } from '../../lib/format';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';
import { CallDetail } from './call-detail';
import { deniedWords } from './fold-summary';
import { LabelText } from './label-text';
import { MessageImages } from './message-images';

const SIGNS: Readonly<
  Record<Exclude<CallState, 'running' | 'awaiting_approval'>, [icon: string, tone: string]>
> = {
  validating: ['circle-large', 'ui-muted'],
  success: ['check', 'ui-ok'],
  error: ['error', 'ui-err'],
  denied: ['shield', 'ui-muted'],
  cancelled: ['circle-slash', 'ui-muted'],
};

/** The sign of a state; words beside it say the same. */
export function StateSign({ state }: { state: CallState }) {
  if (state === 'running') return <Spinner />;
  if (state === 'awaiting_approval') return <Icon name="shield" size={14} className="ui-agent" />;
  const [icon, tone] = SIGNS[state];
  return <Icon name={icon} size={14} className={tone} />;
}

/** One call: sign, what it does, time; opens to arguments, output and result. */
export const CallChip = memo(function CallChip({ call, inner = false }: { call: CallView; inner?: boolean }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const busy = call.state === 'running' || call.state === 'awaiting_approval';
  return (
    <div className={classNames('ch-chip-box', !inner && 'ch-chip-single')}>
      <button
        type="button"
        className={classNames('ch-chip', inner && 'ch-chip-in', busy && 'ch-chip-run')}
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => setOpen(!open)}
      >
        <StateSign state={call.state} />
        <span className="ui-clip">
          <ChipWords call={call} />
        </span>
        <ChipTime call={call} />
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ch-chip-open ui-muted" />
      </button>
      <MessageImages images={call.images ?? []} />
      {open && (
        <div id={bodyId}>
          <CallDetail call={call} />
        </div>
      )}
    </div>
  );
});

function ChipWords({ call }: { call: CallView }) {
  if (call.state === 'denied') return <LabelText text={`${deniedWords(call)}: ${call.label}`} />;
  if (call.state === 'error' && call.error) {
    return (
      <>
        <LabelText text={call.label} />
        <span className="ui-err">{`: ${firstLine(call.error.message)}`}</span>
      </>
    );
  }
  return <LabelText text={call.label} />;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function ChipTime({ call }: { call: CallView }) {
  switch (call.state) {
    case 'running':
      return <RunningTime from={call.startedAt} />;
    case 'awaiting_approval':
      return <span className="ch-chip-time">waits for you</span>;
    case 'validating':
      return <span className="ch-chip-time">queued</span>;
    case 'cancelled':
      return <span className="ch-chip-time">stopped</span>;
    case 'denied':
      return null;
    case 'success':
    case 'error':
      return call.durationMs === undefined || saysTime(call.label) ? null : (
        <span className="ch-chip-time">{formatSpan(call.durationMs)}</span>
      );
  }
}

/** The label of a command ends with its time. */
const saysTime = (label: string): boolean => / · [\d.]+ s$/.test(label);

function RunningTime({ from }: { from: number }) {
  const now = useNow();
  return <span className="ch-chip-time">{formatClock(now - from)}</span>;
}
