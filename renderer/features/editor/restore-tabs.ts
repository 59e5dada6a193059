import type { Client } from '../../../shared/contract/contract';
import { toastError } from '../../lib/toast-store';
import type { BackupKeeper } from './backup-keeper';
import type { Documents } from './documents';
import { editorState, setTabs } from './editor-state';
import { recallTabs, withRemembered } from './tab-memory';

/** Brings back the tabs and the unsaved text of the last time. */
export async function restoreTabs(client: Client, documents: Documents, keeper: BackupKeeper): Promise<void> {
  try {
    const [memory, backups] = await Promise.all([recallTabs(client), client.files.backups(null)]);
    const unsaved = new Set(backups.map(({ path }) => path));
    const remembered = memory?.tabs ?? [];
    const known = remembered.map((tab) => (unsaved.has(tab.path) ? { ...tab, preview: false } : tab));
    const others = [...unsaved].filter((path) => !remembered.some((tab) => tab.path === path));
    for (const backup of backups) {
      keeper.known(backup.path);
      await documents.restore(backup);
    }
    const tabs = [...known, ...others.map((path) => ({ path, preview: false }))];
    setTabs((list) => withRemembered(list, { tabs, active: memory?.active ?? null }));
  } catch (error) {
    toastError(error, 'The tabs of the last time could not be opened');
  } finally {
    editorState.update((state) => ({ ...state, restored: true }));
  }
}
