import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { shallowEqual, useStore } from '../lib/store';
import { LIMITS, maxSize, type PaneName } from './layout';
import { arrangement, resizePane, viewportStore } from './layout-store';

interface SashLook {
  label: string;
  orientation: 'vertical' | 'horizontal';
  /** Which way the pointer moves to make the pane larger. */
  grows: 1 | -1;
  bigger: string;
  smaller: string;
}

const LOOKS: Record<PaneName, SashLook> = {
  side: {
    label: 'Resize side bar',
    orientation: 'vertical',
    grows: 1,
    bigger: 'ArrowRight',
    smaller: 'ArrowLeft',
  },
  chat: {
    label: 'Resize chat',
    orientation: 'vertical',
    grows: -1,
    bigger: 'ArrowLeft',
    smaller: 'ArrowRight',
  },
  panel: {
    label: 'Resize panel',
    orientation: 'horizontal',
    grows: -1,
    bigger: 'ArrowUp',
    smaller: 'ArrowDown',
  },
};
const STEP_PX = 8;
const BIG_STEP_PX = 40;

const limit = (pane: PaneName, size: number): number =>
  Math.round(
    Math.max(LIMITS[pane].min, Math.min(size, maxSize(pane, arrangement.get(), viewportStore.get()))),
  );

function keySize(pane: PaneName, event: KeyboardEvent): number | null {
  const { bigger, smaller } = LOOKS[pane];
  const step = event.shiftKey ? BIG_STEP_PX : STEP_PX;
  const now = arrangement.get()[pane].size;
  if (event.key === bigger) return limit(pane, now + step);
  if (event.key === smaller) return limit(pane, now - step);
  if (event.key === 'Home') return LIMITS[pane].min;
  if (event.key === 'End') return limit(pane, Infinity);
  return null;
}

/** Drags `pane` larger or smaller within a frame's pace; the size counts from where the drag began. */
function useDrag(pane: PaneName) {
  const start = useRef<{ at: number; size: number } | null>(null);
  const { orientation, grows } = LOOKS[pane];
  const along = (event: PointerEvent): number => (orientation === 'vertical' ? event.clientX : event.clientY);
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { at: along(event), size: arrangement.get()[pane].size };
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!start.current) return;
      resizePane(pane, limit(pane, start.current.size + (along(event) - start.current.at) * grows));
    },
    onPointerUp: () => {
      start.current = null;
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
}

/** The line between a pane and the editor: drag it, move it by arrow keys, double click for the usual size. */
export function Sash({ pane, controls }: { pane: PaneName; controls: string }) {
  const look = LOOKS[pane];
  const view = useStore(viewportStore);
  const placed = useStore(arrangement, (all) => all, shallowEqual);
  const drag = useDrag(pane);
  const onKeyDown = (event: KeyboardEvent): void => {
    const size = event.key === 'Enter' ? null : keySize(pane, event);
    if (size === null && event.key !== 'Enter') return;
    event.preventDefault();
    resizePane(pane, size);
  };
  return (
    <div
      {...drag}
      className={`sash sash-${pane}`}
      role="separator"
      tabIndex={0}
      aria-label={look.label}
      aria-orientation={look.orientation}
      aria-controls={controls}
      aria-valuenow={placed[pane].size}
      aria-valuemin={LIMITS[pane].min}
      aria-valuemax={maxSize(pane, placed, view)}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resizePane(pane, null)}
    />
  );
}
