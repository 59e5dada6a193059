import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { useSession } from './chat-context';

/** Older items load when their place is this close to the view. */
const LOAD_MARGIN_PX = 800;

/** A turn on screen and where it stood, so that it can stay there. */
interface HeldPlace {
  readonly scroller: Element;
  readonly turn: Element;
  readonly top: number;
}

/**
 * The first turn in view. One that began before the window (`from-…`) gets another key once its beginning is there, and
 * with it another element: it holds nothing.
 */
function placeIn(scroller: Element): HeldPlace | null {
  const edge = scroller.getBoundingClientRect().top;
  for (const turn of scroller.querySelectorAll('[data-turn]:not([data-turn^="from-"])')) {
    const { top, bottom } = turn.getBoundingClientRect();
    if (bottom > edge + 1) return { scroller, turn, top };
  }
  return null;
}

/** What lies before the window: it loads when the reader comes near, and what is read stays where it is. */
export function OlderItems() {
  const session = useSession();
  const older = useStore(session.state, ({ view, past }) => (past ?? view).olderItems);
  const mark = useRef<HTMLDivElement>(null);
  const held = useRef<HeldPlace | null>(null);
  const hold = useCallback(() => {
    const scroller = mark.current?.closest('.ch-log');
    held.current = scroller ? placeIn(scroller) : null;
  }, []);
  const load = useCallback((): void => {
    hold();
    session.loadOlder().catch((error: unknown) => {
      held.current = null;
      toastError(error);
    });
  }, [session, hold]);
  useLayoutEffect(() => {
    const place = held.current;
    held.current = null;
    if (place) place.scroller.scrollTop += place.turn.getBoundingClientRect().top - place.top;
  }, [older]);
  useEffect(() => {
    const element = mark.current;
    const scroller = element?.closest('.ch-log');
    if (!element || !scroller || older === 0) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load();
      },
      { root: scroller, rootMargin: `${LOAD_MARGIN_PX}px 0px 0px` },
    );
    const onScroll = (): void => {
      if (held.current) hold();
    };
    observer.observe(element);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [older, load, hold]);
  if (older === 0) return null;
  return (
    <div ref={mark} className="ch-older">
      <Button variant="quiet" size="small" onClick={load}>
        {`${older.toLocaleString('en')} earlier`}
      </Button>
    </div>
  );
}
