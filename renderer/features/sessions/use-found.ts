import { useEffect, useState } from 'react';
import type { SessionFound } from '../../../shared/contract/session';
import { useClient } from '../../lib/client-context';
import { toastError } from '../../lib/toast-store';

/** Typing goes on for a moment before anybody searches. */
const TYPING_MS = 120;
/** What changes while a search is on screen shows up this much later. */
const REFRESH_MS = 700;

/** Sessions of all projects that hold the words, kept up to date; null while there is no answer for them yet. */
export function useFound(query: string): readonly SessionFound[] | null {
  const client = useClient();
  const wanted = query.trim();
  const [answer, setAnswer] = useState<{ query: string; found: readonly SessionFound[] } | null>(null);
  useEffect(() => {
    if (wanted === '') return undefined;
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const search = (): void => {
      client.session.search({ query: wanted }).then(
        (found) => {
          if (current) setAnswer({ query: wanted, found });
        },
        (error: unknown) => {
          if (current) toastError(error, 'The search failed');
        },
      );
    };
    const soon = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(search, ms);
    };
    soon(TYPING_MS);
    const leave = client.session.changed.subscribe(null, () => soon(REFRESH_MS));
    return () => {
      current = false;
      clearTimeout(timer);
      leave();
    };
  }, [client, wanted]);
  return wanted !== '' && answer?.query === wanted ? answer.found : null;
}
