import { useMemo } from 'react';
import { formatCount } from '../../lib/format';
import { pendingStore } from '../../lib/review/pending-store';
import { pendingTotals } from '../../lib/review/review-words';
import { useStore } from '../../lib/store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Select } from '../../ui/select';
import { filterChoices, filterOf, filterValue } from './filter-choices';
import { Counts } from '../../lib/review/file-facts';
import type { ReviewData } from '../../lib/review/review-data';
import { changesLeft } from '../../lib/review/review-state';
import { decisionName } from '../../lib/review/spoken-words';
import { undoLast } from './undo-last';

export interface ReviewHeadProps {
  data: ReviewData;
  onAcceptAll: () => void;
  onRejectAll: () => void;
}

/** How much waits, what of it is shown, and what can be done with all of it. */
export function ReviewHead({ data, onAcceptAll, onRejectAll }: ReviewHeadProps) {
  const left = useStore(data.state, changesLeft);
  const files = useStore(data.state, (state) => state.files);
  const ready = useStore(data.state, (state) => state.ready);
  const none = left === 0;
  return (
    <div className="rv-head">
      <h2 className="rv-title">
        {ready &&
          (none ? 'Review' : `${formatCount(left, 'change')} in ${formatCount(files.length, 'file')}`)}
      </h2>
      {!none && <Counts file={pendingTotals(files)} />}
      <span className="ui-grow" />
      <FilterSelect data={data} />
      <UndoButton data={data} />
      <Button disabled={none} onClick={onRejectAll}>
        Reject all
      </Button>
      <Button variant="primary" disabled={none} onClick={onAcceptAll}>
        Accept all
      </Button>
    </div>
  );
}

/** Takes the newest decision back; which one that is stands in its title. */
function UndoButton({ data }: Pick<ReviewHeadProps, 'data'>) {
  const last = useStore(data.state, (state) => state.last);
  if (last === null) return null;
  return (
    <Button
      variant="quiet"
      icon="discard"
      title={`Undo the ${decisionName(last)} (U)`}
      onClick={() => undoLast(data)}
    >
      Undo
    </Button>
  );
}

function FilterSelect({ data }: Pick<ReviewHeadProps, 'data'>) {
  const all = useStore(pendingStore, (state) => state.files);
  const listed = useStore(data.state, (state) => state.files);
  const filter = useStore(data.state, (state) => state.filter);
  const active = useStore(windowStore.activeSession);
  const choices = useMemo(
    () => filterChoices([...all, ...listed], active, filter),
    [all, listed, active, filter],
  );
  return (
    <Select
      label="Which changes"
      className="rv-filter"
      value={filterValue(filter)}
      choices={choices}
      onChange={(value) => data.setFilter(filterOf(value))}
    />
  );
}
