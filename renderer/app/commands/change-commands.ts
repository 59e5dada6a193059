import type { Client } from '../../../shared/contract/contract';
import { SessionId } from '../../../shared/model/ids';
import { takeBack } from '../../lib/changes/take-back';
import { lastRedoable, lastUndoable } from '../../lib/changes/undo-index';
import { sessionStoreOf } from '../../lib/session-store';
import { settingsStore } from '../../lib/settings-store';
import { statusStore } from '../../lib/status-store';
import type { Command } from '../command-registry';
import { loadEditor } from '../editor-bridge';
import { focusPaneSoon } from '../focus-pane';
import { closeDrawers } from '../layout-store';
import { pageStore } from '../overlay-store';
import { hasProject } from './view-commands';

function showPage(page: 'changes' | 'bisect'): void {
  pageStore.set(page);
  closeDrawers();
  focusPaneSoon('editor');
}

const hasFile = (): boolean => statusStore.editor.get().path !== null;

/** Commands about what was changed and by whom. */
export function changeCommands(client: Client): Command[] {
  const sessionId = (): string | null => statusStore.chat.get().sessionId;
  const items = () => {
    const id = sessionId();
    if (id === null || statusStore.chat.get().running) return [];
    return sessionStoreOf(client).open(SessionId.parse(id)).state.get().view.items;
  };
  return [
    {
      id: 'changes.undoTurn',
      title: 'Changes: Undo last turn',
      icon: 'discard',
      when: () => lastUndoable(items()) !== null,
      run: () => takeBack(client, sessionId(), 'undo'),
    },
    {
      id: 'changes.redo',
      title: 'Changes: Redo',
      icon: 'redo',
      when: () => lastRedoable(items()) !== null,
      run: () => takeBack(client, sessionId(), 'redo'),
    },
    {
      id: 'changes.showLog',
      title: 'Changes: Show change log',
      icon: 'history',
      when: hasProject,
      run: () => showPage('changes'),
    },
    {
      id: 'changes.findFault',
      title: 'Changes: Find the change that broke a test…',
      icon: 'beaker',
      when: hasProject,
      run: () => showPage('bisect'),
    },
    {
      id: 'changes.toggleOrigins',
      title: 'Changes: Toggle line origins',
      icon: 'list-ordered',
      when: hasProject,
      run: async () => {
        const value = !settingsStore.get().values['editor.lineOrigins'];
        await client.settings.set({ key: 'editor.lineOrigins', value });
      },
    },
    {
      id: 'changes.whoWroteLine',
      title: 'Changes: Who wrote this line?',
      icon: 'person',
      when: hasFile,
      run: async () => {
        pageStore.set('editor');
        (await loadEditor()).askOrigin();
      },
    },
  ];
}
