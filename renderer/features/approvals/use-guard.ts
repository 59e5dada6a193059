import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { GUARD_MS } from './approval-guard';

export interface Guard {
  readonly armed: boolean;
  /** Switches the buttons off for another {@link GUARD_MS}. */
  rearm(): void;
  /** Checked at the moment of a press: the drawn state may lag behind it. */
  holds(): boolean;
}

/**
 * Off until {@link GUARD_MS} after the first paint, and again after the window got the focus: a click that only brings
 * the window up answers nothing.
 */
export function useGuard(): Guard {
  const until = useRef(Number.POSITIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [armed, setArmed] = useState(false);
  const rearm = useCallback((): void => {
    until.current = performance.now() + GUARD_MS;
    clearTimeout(timer.current);
    setArmed(false);
    timer.current = setTimeout(() => setArmed(true), GUARD_MS);
  }, []);
  useEffect(() => {
    // Two frames: the first one's callback runs before the paint that shows the dialog.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(rearm);
    });
    window.addEventListener('focus', rearm);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer.current);
      window.removeEventListener('focus', rearm);
    };
  }, [rearm]);
  const holds = useCallback(() => performance.now() < until.current, []);
  return { armed, rearm, holds };
}

/** True once the element at the end of a text was on screen. */
export function useReadToEnd(end: RefObject<HTMLElement | null>): boolean {
  const [read, setRead] = useState(false);
  useEffect(() => {
    const element = end.current;
    if (!element || read) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setRead(true);
      },
      { root: element.closest('.ui-dialog-body'), rootMargin: '0px 0px 4px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [end, read]);
  return read;
}
