import type { Client } from '../../shared/contract/contract';
import { SessionId } from '../../shared/model/ids';
import { editAt, newestEdit, type EditRef } from '../lib/diff/edit-ref';
import { baseName } from '../lib/files/workspace-path';
import { sessionStoreOf } from '../lib/session-store';
import { statusStore } from '../lib/status-store';
import { loadEditor } from './editor-bridge';
import { closeDrawers } from './layout-store';
import { pageStore } from './overlay-store';

/**
 * Puts an edit side by side in the editor's place.
 *
 * @throws AppError what the host says when a side can't be had
 */
export async function openDiff(client: Client, { sessionId, callId, path }: EditRef): Promise<void> {
  const { before, after, pending } = await client.turn.editTexts({ sessionId, callId, path });
  const editor = await loadEditor();
  pageStore.set('editor');
  closeDrawers();
  await editor.openDiff({
    title: `${baseName(path)}: ${pending ? 'proposed' : 'edited'}`,
    path,
    original: before,
    modified: after,
    sides: pending ? ['Before', 'Proposed by the agent'] : ['Before', 'Edited by the agent'],
  });
}

/** The edit that the focus is on, else the newest of the session on screen; null when there is none. */
export function editToShow(client: Client): EditRef | null {
  const focused = editAt(document.activeElement);
  const active = statusStore.chat.get().sessionId;
  if (focused || active === null) return focused;
  const sessionId = SessionId.parse(active);
  const newest = newestEdit(sessionStoreOf(client).open(sessionId).state.get().view);
  return newest && { sessionId, ...newest };
}
