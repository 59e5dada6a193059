import { useEffect, useState } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import { useClient } from '../../lib/client-context';
import { withoutSession, withSession } from './session-rows';

export interface SessionsState {
  /** Null until the host answered. */
  sessions: readonly SessionSummary[] | null;
  error: unknown;
  reload: () => void;
}

/** All sessions of the project, kept up to date. */
export function useSessions(): SessionsState {
  const client = useClient();
  const [sessions, setSessions] = useState<readonly SessionSummary[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    const leave = client.session.changed.subscribe(null, (change) => {
      setSessions((all) => {
        if (all === null) return all;
        return change.kind === 'removed' ? withoutSession(all, change.id) : withSession(all, change.summary);
      });
    });
    client.session.list({}).then(
      (all) => {
        if (!current) return;
        setSessions(all);
        setError(null);
      },
      (reason: unknown) => {
        if (current) setError(reason);
      },
    );
    return () => {
      current = false;
      leave();
    };
  }, [client, round]);
  return { sessions, error, reload: () => setRound((count) => count + 1) };
}
