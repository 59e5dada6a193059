import type { Client } from '../../shared/contract/contract';
import { WorkspacePath } from '../../shared/model/ids';
import { EVERYTHING } from '../lib/review/pending-store';
import { baseName } from '../lib/files/workspace-path';
import { loadEditor } from './editor-bridge';
import { closeDrawers } from './layout-store';
import { pageStore } from './overlay-store';

const SIDES = ['Accepted', 'Now'] as const;

/**
 * Puts a pending file beside its accepted text. What is there now can be edited in place; of a deleted file there is nothing
 * to edit.
 *
 * @throws AppError what the host says when nothing is pending or a side can't be had
 */
export async function openSideBySide(client: Client, path: string): Promise<void> {
  const texts = await client.changes.pendingFile({ ...EVERYTHING, path: WorkspacePath.parse(path) });
  const editor = await loadEditor();
  pageStore.set('editor');
  closeDrawers();
  const facts = { title: `${baseName(path)}: review`, path, original: texts.base ?? '', sides: SIDES };
  if (texts.current === null) await editor.openDiff({ ...facts, modified: '' });
  else await editor.openSideBySide(facts);
}
