import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * Calls `onLost` when the focus was inside an element and what had it is gone from the page.
 *
 * @param after what changes when parts of the element may go
 */
export function useLostFocus(box: RefObject<HTMLElement | null>, after: unknown, onLost: () => void): void {
  const inside = useRef(false);
  const lost = useRef(onLost);
  useEffect(() => {
    lost.current = onLost;
  });
  useEffect(() => {
    const note = (): void => {
      inside.current = box.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [box]);
  useLayoutEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return;
    inside.current = false;
    lost.current();
  }, [after]);
}
