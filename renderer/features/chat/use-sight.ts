import { useEffect, useState } from 'react';
import { useClient } from '../../lib/client-context';
import { asSessionId } from './chat-model';

/**
 * Whether the model that would answer takes images; null while nobody knows. Asked only when it matters.
 *
 * @param model as chosen for the session; a change of it is asked about anew
 */
export function useSight(sessionId: string | null, model: string | null, matters: boolean): boolean | null {
  const client = useClient();
  const [sees, setSees] = useState<boolean | null>(null);
  useEffect(() => {
    if (!matters) return undefined;
    let current = true;
    client.model.sight({ sessionId: sessionId === null ? null : asSessionId(sessionId), model }).then(
      (answer) => current && setSees(answer.sees),
      () => current && setSees(null),
    );
    return () => {
      current = false;
    };
  }, [client, sessionId, model, matters]);
  return matters ? sees : null;
}
