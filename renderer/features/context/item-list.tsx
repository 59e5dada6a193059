import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import type { ContextAction, ContextItem } from '../../../shared/contract/context';
import { formatTokens } from '../../lib/format';
import { Icon } from '../../ui/icon';
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list';
import { actionForKey, barOf, KIND_WORDS, nextIndex, STATE_SIGNS } from './lens-view';

const ROW_HEIGHT = 26;

interface ItemListProps {
  items: readonly ContextItem[];
  /** Index of the chosen one. */
  at: number;
  onChoose(id: string): void;
  onAction(id: string, action: ContextAction): void;
}

/** The items in their order; arrows choose, letters act (P pins, S shortens, X takes out, R restores). */
export function ItemList({ items, at, onChoose, onAction }: ItemListProps) {
  const id = useId();
  const list = useRef<VirtualListHandle>(null);
  const largest = items.reduce((most, item) => Math.max(most, item.fullTokens), 0);
  useEffect(() => list.current?.scrollToIndex(at), [at]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = nextIndex(event.key, at, items.length);
    const item = items[to ?? at];
    if (!item) return;
    const action = to === null ? actionForKey(event.key, item) : null;
    if (to === null && action === null) return;
    event.preventDefault();
    if (to !== null) onChoose(item.id);
    if (action) onAction(item.id, action);
  };
  if (items.length === 0) return <p className="cx-none ui-muted">Nothing fits.</p>;
  return (
    <VirtualList
      items={items}
      rowHeight={ROW_HEIGHT}
      getKey={(item) => item.id}
      handle={list}
      className="cx-list"
      role="listbox"
      aria-label="Items of the next request"
      aria-activedescendant={`${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      renderRow={(item, index) => (
        <Row
          id={`${id}-${index}`}
          item={item}
          largest={largest}
          chosen={index === at}
          onChoose={() => onChoose(item.id)}
        />
      )}
    />
  );
}

interface RowProps {
  id: string;
  item: ContextItem;
  largest: number;
  chosen: boolean;
  onChoose(): void;
}

function Row({ id, item, largest, chosen, onChoose }: RowProps) {
  const sign = STATE_SIGNS[item.state];
  const bar = barOf(item, largest);
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      className="cx-row"
      data-state={item.state}
      onClick={onChoose}
    >
      <span className="cx-kind">{KIND_WORDS[item.kind]}</span>
      <span className="cx-title">{item.title}</span>
      {sign && (
        <span className="cx-sign" title={sign.label}>
          <Icon name={sign.icon} size={14} label={sign.label} />
        </span>
      )}
      <span className="cx-bar" aria-hidden="true">
        <u style={{ width: `${bar.whole}%` }} />
        <i style={{ width: `${bar.sent}%` }} />
      </span>
      <span className="cx-tokens">
        {formatTokens(item.tokens)}
        <span className="ui-sr"> tokens</span>
      </span>
    </div>
  );
}
