import { useVirtualizer } from '@tanstack/react-virtual';
import { useImperativeHandle, useRef, type ComponentProps, type ReactNode, type Ref } from 'react';
import { classNames } from './class-names';

export interface VirtualListHandle {
  scrollToIndex(index: number, align?: 'auto' | 'start' | 'center' | 'end'): void;
  readonly element: HTMLDivElement | null;
}

export interface VirtualListProps<T> extends Omit<ComponentProps<'div'>, 'ref' | 'children'> {
  items: readonly T[];
  /** Pixels of a row; an estimate when `measured`. */
  rowHeight: number | ((index: number) => number);
  getKey: (item: T, index: number) => string | number;
  renderRow: (item: T, index: number) => ReactNode;
  /** Rows size themselves and are measured once drawn. */
  measured?: boolean;
  overscan?: number;
  handle?: Ref<VirtualListHandle>;
}

/** Draws only the rows near the visible part of a scroll box. Role, label and keys come in as ordinary props. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const {
    items,
    rowHeight,
    getKey,
    renderRow,
    measured = false,
    overscan = 8,
    handle,
    className,
    ...rest
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (typeof rowHeight === 'number' ? rowHeight : rowHeight(index)),
    getItemKey: (index) => getKey(items[index] as T, index),
    overscan,
  });
  useImperativeHandle(
    handle,
    () => ({
      scrollToIndex: (index, align = 'auto') => virtual.scrollToIndex(index, { align }),
      get element() {
        return box.current;
      },
    }),
    [virtual],
  );
  return (
    <div {...rest} ref={box} className={classNames('ui-list', className)}>
      <div className="ui-list-sizer" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((row) => (
          <div
            key={row.key}
            ref={measured ? virtual.measureElement : undefined}
            data-index={row.index}
            role="presentation"
            className="ui-list-row"
            style={{ transform: `translateY(${row.start}px)`, ...(measured ? {} : { height: row.size }) }}
          >
            {renderRow(items[row.index] as T, row.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
