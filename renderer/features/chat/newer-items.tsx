import { useCallback, useEffect, useRef } from 'react';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { useSession } from './chat-context';

/** Newer items load when their place is this close to the view. */
const LOAD_MARGIN_PX = 400;

/** What lies between an older part on screen and the newest items; it loads when the reader comes near. */
export function NewerItems() {
  const session = useSession();
  const newer = useStore(session.state, ({ past }) => past?.newerItems ?? 0);
  const mark = useRef<HTMLDivElement>(null);
  const load = useCallback(() => void session.loadNewer().catch(toastError), [session]);
  useEffect(() => {
    const element = mark.current;
    const root = element?.closest('.ch-log');
    if (!element || !root || newer === 0) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) load();
      },
      { root, rootMargin: `0px 0px ${LOAD_MARGIN_PX}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [newer, load]);
  if (newer === 0) return null;
  return (
    <div ref={mark} className="ch-older">
      <Button variant="quiet" size="small" onClick={load}>
        {`${newer.toLocaleString('en')} later`}
      </Button>
    </div>
  );
}
