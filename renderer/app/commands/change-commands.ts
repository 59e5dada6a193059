import type { Client } from '../../../shared/contract/contract';
import { SessionId } from '../../../shared/model/ids';
import { takeBack } from '../../lib/changes/take-back';
import { lastRedoable, lastUndoable } from '../../lib/changes/undo-index';
import { sessionStoreOf } from '../../lib/session-store';
import { statusStore } from '../../lib/status-store';
import type { Command } from '../command-registry';

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
  ];
}
