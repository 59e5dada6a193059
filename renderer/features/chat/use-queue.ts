import { useEffect, useState } from 'react';
import type { QueuedMessage } from '../../../shared/model/queued-message';
import { useClient } from '../../lib/client-context';
import { useSession } from './chat-context';

/** What waits in the session on screen, oldest first. */
export function useQueue(): readonly QueuedMessage[] {
  const client = useClient();
  const { id: sessionId } = useSession();
  const [messages, setMessages] = useState<readonly QueuedMessage[]>([]);
  useEffect(() => client.turn.queueChanged.subscribe({ sessionId }, setMessages), [client, sessionId]);
  return messages;
}
