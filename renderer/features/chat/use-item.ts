import { useCallback, useSyncExternalStore } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import type { OpenSession } from '../../lib/session-store';

/** One item of a session; only a change of this item draws the component again. */
export function useItem(session: OpenSession, key: string): ItemView | undefined {
  const subscribe = useCallback(
    (listener: () => void) => session.subscribeItem(key, listener),
    [session, key],
  );
  const read = useCallback(() => session.item(key), [session, key]);
  return useSyncExternalStore(subscribe, read, read);
}
