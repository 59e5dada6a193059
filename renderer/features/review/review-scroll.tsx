import { useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  memo,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  type ReactNode,
  type Ref,
} from 'react';
import { guessHeight, type ReviewBlock } from '../../lib/review/review-blocks';
import { useWarming, useWarmRows } from './use-warm-rows';
import { drawnRows } from './warm-rows';

/** A file's head covers this much of what lies under it. */
const HEAD_PX = 36;

export interface ReviewScrollHandle {
  /** Brings a block into view if it is not wholly there. */
  show(index: number): void;
  readonly element: HTMLDivElement | null;
}

export interface ReviewScrollProps {
  blocks: readonly ReviewBlock[];
  /** Is drawn wherever the scroll is, so that it keeps the focus. */
  pinned: number;
  renderBlock: (block: ReviewBlock) => ReactNode;
  /** Files that are in view. */
  onFiles: (paths: readonly string[]) => void;
  handle: Ref<ReviewScrollHandle>;
}

/** The last file head at or before a block. */
function headBefore(heads: readonly number[], index: number): number | null {
  return heads.findLast((head) => head <= index) ?? null;
}

/** The page's one scroll: draws what is in view, with the head of the file in view on top. */
export function ReviewScroll({ blocks, pinned, renderBlock, onFiles, handle }: ReviewScrollProps) {
  const box = useRef<HTMLDivElement>(null);
  const heads = useMemo(() => blocks.flatMap(({ kind }, at) => (kind === 'file' ? [at] : [])), [blocks]);
  const rows = useWarmRows();
  const { warm } = rows;
  const rangeExtractor = useCallback(
    ({ startIndex, endIndex, count }: Range): number[] => {
      const { from, to } = drawnRows(warm, { from: startIndex, to: endIndex });
      const drawn = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      const indexes = new Set([headBefore(heads, startIndex) ?? -1, pinned, ...drawn]);
      return [...indexes].filter((index) => index >= 0 && index < count).sort((a, b) => a - b);
    },
    [heads, pinned, warm],
  );
  const virtual = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => guessHeight(blocks[index] as ReviewBlock),
    getItemKey: (index) => blocks[index]?.key ?? index,
    overscan: 0,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor,
  });
  useImperativeHandle(
    handle,
    () => ({
      show: (index) => {
        const item = virtual.measurementsCache[index];
        const element = box.current;
        if (!item || !element) return;
        const top = element.scrollTop + HEAD_PX;
        const bottom = element.scrollTop + element.clientHeight;
        if (item.start < top || item.end > bottom) virtual.scrollToIndex(index, { align: 'start' });
      },
      get element() {
        return box.current;
      },
    }),
    [virtual],
  );
  const shown = virtual.getVirtualItems();
  const { range } = virtual;
  useWarming(rows, range && { from: range.startIndex, to: range.endIndex }, blocks.length, box);
  const first = range?.startIndex ?? 0;
  const stuck = headBefore(heads, first);
  const paths = [...new Set(shown.map(({ index }) => blocks[index]?.file.path as string))].join('\n');
  useEffect(() => onFiles(paths.split('\n')), [paths, onFiles]);
  return (
    <div ref={box} className="rv-scroll" role="group" aria-label="Changes" tabIndex={-1}>
      <div className="rv-sizer" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ key, index, start }) => (
          <Row
            key={key}
            {...{ index, start, renderBlock, measure: virtual.measureElement }}
            block={blocks[index] as ReviewBlock}
            isStuck={index === stuck}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  block: ReviewBlock;
  index: number;
  /** Pixels from the top of the scroll. */
  start: number;
  isStuck: boolean;
  renderBlock: (block: ReviewBlock) => ReactNode;
  measure: (element: HTMLElement | null) => void;
}

/** Drawn again when something of it is another, not when one scrolls. */
const Row = memo(function Row({ block, index, start, isStuck, renderBlock, measure }: RowProps) {
  return (
    <div
      ref={measure}
      data-index={index}
      role="presentation"
      className={isStuck ? 'rv-row rv-row-stuck' : 'rv-row'}
      {...(isStuck ? {} : { style: { transform: `translateY(${start}px)` } })}
    >
      {renderBlock(block)}
    </div>
  );
});
