import { useEffect, useState } from 'react';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import { useClient } from '../../lib/client-context';
import { dataUrl } from './attachment';

/** Pictures of messages that were shown last stay at hand: rows come and go as one scrolls. */
const KEPT = 40;
const kept = new Map<string, string>();

function keep(key: string, source: string): void {
  kept.delete(key);
  kept.set(key, source);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

export interface StoredImage {
  /** Data URL; null while it is not here. */
  source: string | null;
  /** It can't be had. */
  gone: boolean;
}

/** The picture at a place of a message. */
export function useStoredImage(sessionId: SessionId, messageId: MessageId, index: number): StoredImage {
  const client = useClient();
  const key = `${sessionId} ${messageId} ${index}`;
  const [shown, setShown] = useState({ key, source: kept.get(key) ?? null, gone: false });
  useEffect(() => {
    let current = true;
    const show = (source: string | null): void => {
      if (current) setShown({ key, source, gone: source === null });
    };
    const known = kept.get(key);
    if (known !== undefined) {
      show(known);
      return undefined;
    }
    client.session.image({ id: sessionId, messageId, index }).then(
      (image) => {
        keep(key, dataUrl(image));
        show(dataUrl(image));
      },
      // Nothing but its place is lost: the transcript says so there.
      () => show(null),
    );
    return () => {
      current = false;
    };
  }, [client, key, sessionId, messageId, index]);
  return shown.key === key ? shown : { source: null, gone: false };
}
