import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import { entryAt, missingFolders, withFailure, withListing, type TreeState } from './tree-model';

export type FolderLoader = ReturnType<typeof createFolderLoader>;

/** Lists folders; a folder that is asked for while it is being listed is listed once more after that. */
export function createFolderLoader(client: Client, tree: () => TreeState, set: (tree: TreeState) => void) {
  const running = new Map<string, { again: boolean; done: Promise<void> }>();
  const list = async (folder: string): Promise<void> => {
    try {
      const entries = await client.files.list({ path: folder });
      set(withListing(tree(), folder, entries));
    } catch (error) {
      // A folder that is gone shows as missing in its parent's list, which is on its way.
      const gone = folder !== '' && !entryAt(tree(), folder);
      if (!gone) set(withFailure(tree(), folder, toErrorShape(error)));
    }
  };
  const load = (folder: string): Promise<void> => {
    const current = running.get(folder);
    if (current) {
      current.again = true;
      return current.done;
    }
    const state = { again: false, done: Promise.resolve() };
    const run = async (): Promise<void> => {
      do {
        state.again = false;
        await list(folder);
      } while (state.again);
      running.delete(folder);
      loadMissing();
    };
    running.set(folder, state);
    state.done = run();
    return state.done;
  };
  const loadMissing = (): void => {
    for (const folder of missingFolders(tree())) if (!running.has(folder)) void load(folder);
  };
  const ensure = async (folder: string): Promise<void> => {
    if (!tree().folders.has(folder)) await load(folder);
  };
  return { load, loadMissing, ensure };
}
