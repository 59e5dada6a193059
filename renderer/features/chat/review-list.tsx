import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useClient } from '../../lib/client-context';
import { EVERYTHING } from '../../lib/review/pending-store';
import type { Verdict } from '../../lib/review/decide';
import { createReviewData, goneStops, type ReviewData, type Target } from '../../lib/review/review-data';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { Spinner } from '../../ui/spinner';
import { useSession } from './chat-context';
import { foldsOf, reviewFolds } from './review-folds';
import { ReviewListRow } from './review-list-row';
import { reviewRows, rowAfter, type ReviewRow } from './review-rows';
import { reviewSpoken } from './review-spoken';
import { useLostFocus } from './use-lost-focus';

export interface ReviewListProps {
  id: string;
  /** Shows all of it on the review page. */
  onReview: () => void;
  /** Takes the focus back to the bar. */
  onLeave: () => void;
}

/** Files are read when they are opened, and nothing is while the list is folded. */
function usePending(): ReviewData {
  const client = useClient();
  const data = useMemo(() => createReviewData(client, EVERYTHING, 'wanted'), [client]);
  useEffect(() => data.connect(), [data]);
  useEffect(() => data.state.subscribe(() => reviewSpoken.set(data.state.get().spoken)), [data]);
  return data;
}

/** What waits, file by file and hunk by hunk, to be decided on without leaving the chat. */
export function ReviewList(props: ReviewListProps) {
  const data = usePending();
  const session = useSession();
  const open = useStore(reviewFolds, (all) => foldsOf(all, session.id).files);
  const state = useStore(data.state);
  const { rows, moreFiles } = useMemo(() => reviewRows(state, open), [state, open]);
  useEffect(() => data.want([...open]), [data, open]);
  const error = state.failure ?? state.error;
  return (
    <div id={props.id} className="ch-review-list" role="group" aria-label="Pending changes">
      {!state.ready && error === null && <Spinner />}
      {error !== null && (
        <ErrorBox
          error={error}
          actions={
            <Button size="small" onClick={() => (state.ready ? data.dismiss(null) : data.refresh())}>
              {state.ready ? 'Dismiss' : 'Try again'}
            </Button>
          }
        />
      )}
      <Rows {...props} data={data} rows={rows} />
      {moreFiles > 0 && (
        <button type="button" className="ch-review-more" onClick={props.onReview}>
          {`and ${moreFiles} more – Review`}
        </button>
      )}
    </div>
  );
}

interface RowsProps extends ReviewListProps {
  data: ReviewData;
  rows: readonly ReviewRow[];
}

function Rows({ data, rows, onReview, onLeave }: RowsProps) {
  const [at, setAt] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const key = wanted.current;
    wanted.current = null;
    if (key !== null) focusRow(elementsIn(box.current).get(key));
  }, [rows]);
  useLostFocus(box, rows, () => {
    if (wanted.current === null) onLeave();
  });
  const current = rows.find(({ key }) => key === at) ?? rows[0];
  const decide = (verdict: Verdict, target: Target, row: string): void => {
    wanted.current = rowAfter(rows, row, goneStops(data.state.get(), target));
    if (wanted.current === null) onLeave();
    void data.decide(verdict, target);
  };
  return (
    <div ref={box} onKeyDown={(event) => onRowKey(event, onLeave)}>
      {rows.map((row) => (
        <ReviewListRow
          key={row.key}
          row={row}
          current={row === current}
          onCurrent={setAt}
          onDecide={decide}
          onDismiss={data.dismiss}
          onReview={onReview}
        />
      ))}
    </div>
  );
}

/** Rows that are higher than the list show their beginning. */
function focusRow(row: HTMLElement | undefined): void {
  const height = row?.closest('.ch-review-list')?.clientHeight ?? 0;
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: row.offsetHeight > height / 2 ? 'start' : 'nearest' });
}

/** What takes the focus of each row, top to bottom. */
const elementsIn = (box: HTMLElement | null): Map<string, HTMLElement> =>
  new Map(
    [...(box?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].map((row) => [
      row.dataset['row'] ?? '',
      row,
    ]),
  );

/** Arrows walk the rows; Escape goes back to the bar. */
function onRowKey(event: KeyboardEvent<HTMLElement>, onLeave: () => void): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...elementsIn(event.currentTarget).values()];
  const at = rows.findIndex(
    (row) => (row.closest('.ch-rv-row') ?? row).contains(event.target as Node) || row === event.target,
  );
  const goals: Record<string, () => void> = {
    ArrowDown: () => focusRow(rows[Math.min(rows.length - 1, at + 1)]),
    ArrowUp: () => (at <= 0 ? onLeave() : focusRow(rows[at - 1])),
    Home: () => focusRow(rows[0]),
    End: () => focusRow(rows.at(-1)),
    Escape: onLeave,
  };
  const goal = goals[event.key];
  if (!goal) return;
  event.preventDefault();
  event.stopPropagation();
  goal();
}
