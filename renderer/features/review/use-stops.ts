import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Stop } from '../../lib/review/review-blocks';
import type { ReviewScrollHandle } from './review-scroll';
import { nearest } from './review-walk';

export interface Stops {
  readonly current: Stop | null;
  /** Goes to a stop; `focus` takes the focus there. */
  go(stop: Stop | null, focus: boolean): void;
  /** The focus came to a stop by itself. */
  noteFocus(key: string): void;
}

const elementOf = (scroll: HTMLElement | null, key: string): HTMLElement | null =>
  [...(scroll?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])].find(
    ({ dataset }) => dataset['stop'] === key,
  ) ?? null;

/**
 * The change one is at. It outlives its neighbours: when it goes away, the next one takes its place, and the focus with it if
 * it was there.
 */
export function useStops(stops: readonly Stop[], scroll: RefObject<ReviewScrollHandle | null>): Stops {
  const [key, setKey] = useState<string | null>(null);
  const [previous, setPrevious] = useState(stops);
  const [asked, setAsked] = useState(0);
  const wanted = useRef(false);
  const inside = useRef(false);
  if (previous !== stops) {
    setPrevious(stops);
    if (key !== null) setKey(nearest(stops, previous, key)?.key ?? null);
  }
  const current = stops.find((stop) => stop.key === key) ?? stops[0] ?? null;
  const go = useCallback(
    (stop: Stop | null, focus: boolean): void => {
      if (!stop) return;
      setKey(stop.key);
      wanted.current = focus;
      if (focus) setAsked((count) => count + 1);
      scroll.current?.show(stop.at);
    },
    [scroll],
  );
  const noteFocus = useCallback((next: string): void => setKey(next), []);
  useEffect(() => {
    const element = scroll.current?.element;
    const note = (): void => {
      inside.current = element?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [scroll]);
  useLayoutEffect(() => {
    const lost = inside.current && document.activeElement === document.body;
    if (!current || !(wanted.current || lost)) return;
    const element = elementOf(scroll.current?.element ?? null, current.key);
    if (!element) return;
    wanted.current = false;
    element.focus({ preventScroll: true });
    scroll.current?.show(current.at);
  }, [current, asked, scroll]);
  return { current, go, noteFocus };
}
