import { useEffect, useRef } from 'react';

/**
 * Calls `take` once for each time the review was asked for, as soon as there is something to go to; a key or a press in the
 * meantime means that the user went on.
 *
 * @param askedAt as `performance.now()` counts
 */
export function useAskedFocus(askedAt: number, isThere: boolean, take: () => void): void {
  const waiting = useRef<number | null>(null);
  const known = useRef<number | null>(null);
  useEffect(() => {
    if (known.current !== askedAt) waiting.current = askedAt;
    known.current = askedAt;
    if (waiting.current === null) return undefined;
    if (isThere) {
      waiting.current = null;
      take();
      return undefined;
    }
    const leave = (event: Event): void => {
      if (event.timeStamp > askedAt) waiting.current = null;
    };
    window.addEventListener('keydown', leave, true);
    window.addEventListener('pointerdown', leave, true);
    return () => {
      window.removeEventListener('keydown', leave, true);
      window.removeEventListener('pointerdown', leave, true);
    };
  }, [askedAt, isThere, take]);
}
