import { useDeferredValue, useMemo, useState } from 'react';
import type { NextContext } from '../../../shared/contract/context';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { Segmented } from '../../ui/segmented';
import type { ContextData } from './context-data';
import { ItemDetail } from './item-detail';
import { ItemList } from './item-list';
import { FILTERS, filterItems, type LensFilter } from './lens-view';

/** The items of the next request: list on the left, the chosen one with its text and actions beside it. */
export function ItemsView({ data, next }: { data: ContextData; next: NextContext }) {
  const [filter, setFilter] = useState<LensFilter>('all');
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = useDeferredValue(query);
  const shown = useMemo(() => filterItems(next.items, filter, wanted), [next.items, filter, wanted]);
  const at = Math.max(
    0,
    shown.findIndex(({ id }) => id === chosen),
  );
  const item = shown[at] ?? null;
  return (
    <div className="cx-items">
      <div className="cx-tools">
        <Field
          label="Filter"
          hideLabel
          icon="filter"
          placeholder="Filter"
          value={query}
          onChange={setQuery}
        />
        <Segmented label="Which items" value={filter} choices={FILTERS} onChange={setFilter} />
        <Summarised data={data} next={next} />
      </div>
      <div className="cx-split">
        <ItemList
          items={shown}
          at={at}
          onChoose={setChosen}
          onAction={(id, action) => void data.mark(id, action)}
        />
        {item && (
          <ItemDetail
            key={item.id}
            item={item}
            sessionId={next.sessionId}
            onAction={(action) => void data.mark(item.id, action)}
          />
        )}
      </div>
    </div>
  );
}

/** Brings the messages behind a summary into the list, and takes them out again. */
function Summarised({ data, next }: { data: ContextData; next: NextContext }) {
  const listed = useStore(data.state, (state) => state.summarised);
  if (next.unlisted === 0 && !listed) return null;
  return (
    <Button variant="quiet" size="small" aria-pressed={listed} onClick={() => data.setSummarised(!listed)}>
      {listed ? 'Hide what is summarised' : `Show ${next.unlisted} summarised`}
    </Button>
  );
}
