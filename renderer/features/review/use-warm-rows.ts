import { useEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { warmedBy, type RowSpan } from './warm-rows';

const NOTHING: RowSpan = { from: 0, to: -1 };
/** Where a browser doesn't tell when it has nothing to do. */
const PAUSE_MS = 30;

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, PAUSE_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work);
  return () => cancelIdleCallback(handle);
}

/**
 * Rows around the view that are drawn before one scrolls to them: one at a time and laid out at once, when the window has
 * nothing else to do, so that a frame of scrolling has nothing left to build.
 */
export function useWarmRows() {
  const [warm, setWarm] = useState(NOTHING);
  return { warm, setWarm };
}

/** Makes the next row ready, and is called again when it is. */
export function useWarming(
  { warm, setWarm }: ReturnType<typeof useWarmRows>,
  view: RowSpan | null,
  count: number,
  box: RefObject<HTMLElement | null>,
): void {
  const { from, to } = view ?? NOTHING;
  useEffect(() => {
    if (to < from) return undefined;
    const next = warmedBy(warm, { from, to }, count);
    if (next === warm) return undefined;
    return whenIdle(() => {
      flushSync(() => setWarm(next));
      // Styles and places of the new row are worked out now instead of in the next frame.
      box.current?.getBoundingClientRect();
    });
  }, [warm, setWarm, from, to, count, box]);
}
