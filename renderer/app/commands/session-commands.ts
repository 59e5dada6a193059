import type { Client } from '../../../shared/contract/contract';
import { SessionId } from '../../../shared/model/ids';
import { OPEN_DIFF_KEYS } from '../../lib/diff/edit-ref';
import { statusStore } from '../../lib/status-store';
import { windowStore } from '../../lib/window-store';
import type { Command } from '../command-registry';
import { focusPaneSoon } from '../focus-pane';
import { showPane } from '../layout-store';
import { editToShow, openDiff } from '../open-diff';
import { overlayStore } from '../overlay-store';
import { hasProject } from './view-commands';

/** Shows a session in the chat. */
export function openSession(id: string): void {
  windowStore.activeSession.set(id);
  showPane('chat', true);
  focusPaneSoon('chat');
}

export function sessionCommands(client: Client): Command[] {
  return [
    {
      id: 'session.new',
      title: 'Chat: New session',
      icon: 'add',
      keys: ['Mod+Shift+L'],
      when: hasProject,
      run: async () => openSession((await client.session.create({})).id),
    },
    {
      id: 'session.switch',
      title: 'Chat: Open session…',
      icon: 'comment-discussion',
      keys: ['Mod+Alt+L'],
      when: hasProject,
      run: () => overlayStore.set({ kind: 'sessions' }),
    },
    {
      id: 'session.open',
      title: 'Chat: Open a session',
      hidden: true,
      when: hasProject,
      run: (id) => {
        if (typeof id === 'string') openSession(id);
      },
    },
    {
      id: 'turn.cancel',
      title: 'Chat: Stop the running turn',
      icon: 'debug-stop',
      when: () => statusStore.chat.get().running,
      run: async () => {
        const { sessionId } = statusStore.chat.get();
        if (sessionId !== null) await client.turn.stop({ sessionId: SessionId.parse(sessionId) });
      },
    },
    {
      id: 'chat.openDiff',
      title: 'Chat: Open diff of the edit',
      icon: 'diff',
      keys: [OPEN_DIFF_KEYS],
      when: () => editToShow(client) !== null,
      run: async () => {
        const edit = editToShow(client);
        if (edit) await openDiff(client, edit);
      },
    },
    {
      id: 'model.setUp',
      title: 'Model: Set up a provider…',
      icon: 'plug',
      run: () => overlayStore.set({ kind: 'providers', providerId: null }),
    },
  ];
}
