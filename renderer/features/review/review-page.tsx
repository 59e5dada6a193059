import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useClient } from '../../lib/client-context';
import { EVERYTHING } from '../../lib/review/pending-store';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Spinner } from '../../ui/spinner';
import { Changes } from './changes';
import { createReviewData, type ReviewData } from '../../lib/review/review-data';
import { ReviewHead } from './review-head';
import type { ReviewHost } from './review-host';
import './review.css';
import { keyAction } from './review-walk';
import { undoLast } from './undo-last';
import { useReviewAll } from './use-review-all';

/** The changes of agents that wait for a yes, over all files, in one scroll. */
export function ReviewPage(host: ReviewHost) {
  const client = useClient();
  const data = useMemo(() => createReviewData(client, EVERYTHING), [client]);
  useEffect(() => data.connect(), [data]);
  const all = useReviewAll(data);
  const spoken = useStore(data.state, (state) => state.spoken);
  return (
    <section className="rv" aria-label="Review" onKeyDown={(event) => onPageKey(event, data, host)}>
      <ReviewHead data={data} onAcceptAll={all.accept} onRejectAll={all.reject} />
      <Failure data={data} />
      <Body data={data} host={host} />
      <div className="ui-sr" role="status" aria-live="polite">
        {spoken}
      </div>
      {all.dialog}
    </section>
  );
}

/** Leaving and undoing work also where there is no change that could have the focus. */
function onPageKey(event: KeyboardEvent, data: ReviewData, host: ReviewHost): void {
  if (event.defaultPrevented) return;
  const kind = keyAction(event)?.kind;
  if (kind === 'undo' && event.target instanceof Element && event.target.closest('select, input, textarea'))
    return;
  if (kind !== 'leave' && kind !== 'undo') return;
  event.preventDefault();
  if (kind === 'leave') host.onLeave();
  else undoLast(data);
}

function Failure({ data }: { data: ReviewData }) {
  const failure = useStore(data.state, (state) => state.failure);
  if (failure === null) return null;
  return (
    <div className="rv-failure">
      <ErrorBox
        error={failure}
        actions={
          <Button size="small" onClick={() => data.dismiss(null)}>
            Dismiss
          </Button>
        }
      />
    </div>
  );
}

function Body({ data, host }: { data: ReviewData; host: ReviewHost }) {
  const ready = useStore(data.state, (state) => state.ready);
  const error = useStore(data.state, (state) => state.error);
  const empty = useStore(data.state, (state) => state.files.length === 0);
  const narrowed = useStore(data.state, (state) => state.filter.sessionId !== null);
  if (!ready)
    return (
      <div className="rv-wait">
        {error === null ? (
          <Spinner />
        ) : (
          <ErrorBox
            title="The changes can’t be shown"
            error={error}
            actions={<Button onClick={() => data.refresh()}>Try again</Button>}
          />
        )}
      </div>
    );
  if (!empty) return <Changes data={data} host={host} />;
  return <Empty data={data} host={host} narrowed={narrowed} />;
}

function Empty({ data, host, narrowed }: { data: ReviewData; host: ReviewHost; narrowed: boolean }) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The last change took the focus with it.
    if (document.activeElement === document.body) back.current?.focus();
  }, []);
  return (
    <div className="rv-empty">
      <EmptyState
        icon="check-all"
        title={narrowed ? 'Nothing of this is left to review' : 'Nothing to review'}
        actions={
          <>
            {narrowed && <Button onClick={() => data.setFilter(EVERYTHING)}>Show all changes</Button>}
            <Button
              ref={back}
              variant={narrowed ? 'quiet' : 'secondary'}
              keyHint="Esc"
              onClick={() => host.onLeave()}
            >
              Back to the chat
            </Button>
          </>
        }
      >
        What the agent writes without asking waits here until you accept it or take it back, change by change.
        The setting “Review of edits” lets the agent write first and asks you afterwards.
      </EmptyState>
    </div>
  );
}
