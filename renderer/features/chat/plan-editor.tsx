import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { PLAN_LIMITS, type Plan } from '../../../shared/model/plan';
import { useClient } from '../../lib/client-context';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { useSession } from './chat-context';
import { stepsToText, textToSteps } from './plan-text';

/** A plan as title and lines, one step each. */
export function PlanEditor({ plan, onDone }: { plan: Plan; onDone: () => void }) {
  const client = useClient();
  const session = useSession();
  const [title, setTitle] = useState(plan.title);
  const [text, setText] = useState(() => stepsToText(plan.steps));
  const [busy, setBusy] = useState(false);
  const steps = textToSteps(text, plan.steps);
  const good = title.trim() !== '' && steps.length > 0;
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.plan.edit({ sessionId: session.id, planId: plan.planId, title: title.trim(), steps });
      onDone();
    } catch (error) {
      setBusy(false);
      toastError(error, 'The plan was not saved');
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (good) void save();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onDone();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && good) void save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form className="pl-form" aria-label="Edit plan" onSubmit={submit} onKeyDown={onKeyDown}>
      <Field label="Title" value={title} maxLength={PLAN_LIMITS.titleChars} onChange={setTitle} />
      <label className="pl-field">
        Steps, one per line
        <textarea
          autoFocus
          className="pl-lines"
          rows={Math.min(16, Math.max(4, steps.length + 1))}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div className="pl-actions">
        <Button type="submit" variant="primary" size="small" busy={busy} disabled={!good}>
          Save plan
        </Button>
        <Button size="small" variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
