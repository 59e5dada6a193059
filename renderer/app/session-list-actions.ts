import type { Client } from '../../shared/contract/contract';
import type { SessionListProps } from '../features/sessions/session-list';
import { toastError } from '../lib/toast-store';
import { openSession } from './commands/session-commands';
import { goToMessage } from './goto-message';
import { registry } from './registry';

/** What a list of sessions does: shows one, at a message where one was found, and leads to export and import. */
export function sessionListActions(client: Client): SessionListProps {
  const open = async (sessionId: string, place: Parameters<SessionListProps['onOpen']>[1]): Promise<void> => {
    if (await goToMessage(client, { sessionId, ...place })) openSession(sessionId);
  };
  return {
    onOpen: (id, place) => {
      open(id, place).catch((error: unknown) => toastError(error, 'The session could not be opened'));
    },
    onExport: (id) => void registry.run('session.export', id),
    onImport: () => void registry.run('session.import'),
  };
}
