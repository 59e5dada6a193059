import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { OpenSession } from '../../lib/session-store';
import { followsAfter, type ScrollPlace } from './stick-to-end';

const placeOf = (element: HTMLElement): ScrollPlace => ({
  top: element.scrollTop,
  contentHeight: element.scrollHeight,
  viewHeight: element.clientHeight,
});

export interface StickToEnd {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  following: boolean;
  /** True when something came in below while the reader was further up. */
  unseen: boolean;
  toEnd: () => void;
  /** The reader is led somewhere else: the end is followed no more. */
  stopFollowing: () => void;
}

/** Keeps a scroller at its end while it is there; leaves it alone once the reader goes up. */
export function useStickToEnd(session: OpenSession): StickToEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const state = useRef({ following: true, place: { top: 0, contentHeight: 0, viewHeight: 0 } });
  const [shown, setShown] = useState({ following: true, unseen: false });
  const follow = useCallback(
    (following: boolean): void => {
      state.current.following = following;
      session.setFollowing(following);
      setShown((old) => (old.following === following ? old : { following, unseen: false }));
    },
    [session],
  );
  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return undefined;
    const onScroll = (): void => {
      const now = placeOf(element);
      const { following, place } = state.current;
      state.current.place = now;
      // The end of an older part is not the end of the session.
      follow(session.state.get().past === null && followsAfter(following, place, now));
    };
    const onResize = (): void => {
      const before = state.current.place;
      if (state.current.following) element.scrollTop = element.scrollHeight;
      state.current.place = placeOf(element);
      const grew = state.current.place.contentHeight > before.contentHeight;
      if (!state.current.following && grew) setShown((old) => (old.unseen ? old : { ...old, unseen: true }));
    };
    const observer = new ResizeObserver(onResize);
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [follow, session]);
  const stopFollowing = useCallback((): void => follow(false), [follow]);
  const toEnd = useCallback((): void => {
    session.showNewest();
    follow(true);
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [follow, session]);
  return { scroller, content, ...shown, toEnd, stopFollowing };
}
