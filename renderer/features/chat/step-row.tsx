import { memo, useId, useState } from 'react';
import type { StepView } from '../../../shared/model/session-view';
import { Markdown } from '../../lib/markdown/markdown';
import { splitModel } from '../../lib/model-name';
import { CopyButton } from '../../lib/text/copy-button';
import { Icon } from '../../ui/icon';
import { CallGroup } from './call-group';
import { ThinkingRow } from './thinking-row';

/** One answer of the model: reasoning folded, text plain on the page, calls as chips and cards. */
export const StepRow = memo(function StepRow({ step }: { step: StepView }) {
  const streaming = step.status === 'streaming';
  const quiet = step.text === '' && step.calls.length === 0;
  return (
    <>
      {step.reasoning !== '' && <Reasoning step={step} live={streaming && quiet} />}
      {streaming && quiet && step.reasoning === '' && <ThinkingRow since={step.startedAt} />}
      {step.text !== '' && step.status !== 'housekeeping' && (
        <Markdown text={step.text} growing={streaming && step.calls.length === 0} />
      )}
      {step.calls.length > 0 && <CallGroup step={step} />}
      {step.status === 'answer' && step.text !== '' && (
        <div className="ch-answer-actions">
          <CopyButton text={step.text} label="Copy answer" />
          {step.model !== undefined && (
            <span
              className="ch-model ui-clip"
              title={[step.model, step.modelReason].filter(Boolean).join(' – ')}
            >
              {splitModel(step.model).model}
            </span>
          )}
        </div>
      )}
    </>
  );
});

function Reasoning({ step, live }: { step: StepView; live: boolean }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const seconds = Math.max(1, Math.round((step.reasoningMs ?? 0) / 1000));
  return (
    <div>
      <button
        type="button"
        className="ch-fold"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => setOpen(!open)}
      >
        {live ? (
          <ThinkingRow since={step.startedAt} />
        ) : (
          <>
            <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
            <span>{`Thought for ${seconds} s`}</span>
          </>
        )}
      </button>
      {open && (
        <div id={bodyId} className="ch-reasoning">
          <Markdown text={step.reasoning} growing={live} />
        </div>
      )}
    </div>
  );
}
