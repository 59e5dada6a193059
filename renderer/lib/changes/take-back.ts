import type { Client } from '../../../shared/contract/contract';
import { SessionId, TurnId } from '../../../shared/model/ids';
import { sessionStoreOf } from '../session-store';
import { pushToast } from '../toast-store';
import { redo, undo } from './undo-flow';
import { lastRedoable, lastUndoable } from './undo-index';

const nothing = (title: string): void => void pushToast({ tone: 'info', title });

/** Undoes the newest turn of a session that changed files, or redoes what was undone last; says so when there is none. */
export async function takeBack(client: Client, session: string | null, how: 'undo' | 'redo'): Promise<void> {
  const sessionId = session === null ? null : SessionId.parse(session);
  const items = sessionId === null ? [] : sessionStoreOf(client).open(sessionId).state.get().view.items;
  if (how === 'redo') {
    const setId = lastRedoable(items)?.undo.setId;
    return setId ? await redo(client, setId) : nothing('There is nothing to do again');
  }
  const turnId = lastUndoable(items);
  if (sessionId === null || turnId === null) return nothing('There is no turn to undo');
  await undo(client, { kind: 'turn', sessionId, turnId: TurnId.parse(turnId) }, 'the last turn');
}
