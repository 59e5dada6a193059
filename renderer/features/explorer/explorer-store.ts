import type { Client } from '../../../shared/contract/contract';
import { ancestorsOf, baseName, joinPath, movedPath, parentOf } from '../../lib/files/workspace-path';
import { createStore, type ReadableStore } from '../../lib/store';
import { createFolderLoader } from './folder-loader';
import { followProject } from './follow-project';
import { dropTarget, EMPTY_TREE, entryAt, withoutFailure, type Draft, type TreeState } from './tree-model';

export interface ExplorerState {
  tree: TreeState;
  /** The entry that keys act on. */
  selected: string | null;
  draft: Draft | null;
  /** Cut and waiting to be pasted. */
  cut: string | null;
  /** The last action that failed, shown over the tree. */
  failure: { title: string; error: unknown } | null;
  /** Asks the view to bring an entry on screen; a new object each time. */
  shown: { path: string; focus: boolean } | null;
}

/** What other panes may want to know. */
export interface ExplorerNews {
  /** An entry was moved or renamed here. */
  onMoved?: ((from: string, to: string) => void) | undefined;
  /** An entry was deleted here. */
  onRemoved?: ((path: string) => void) | undefined;
}

export type Explorer = ReturnType<typeof createExplorer>;

const START: ExplorerState = {
  tree: EMPTY_TREE,
  selected: null,
  draft: null,
  cut: null,
  failure: null,
  shown: null,
};

/** The tree of one project: what is loaded, open and selected, and the actions on it. */
export function createExplorer(client: Client, news: ExplorerNews = {}) {
  const store = createStore<ExplorerState>(START);
  const change = (part: Partial<ExplorerState>): void => store.update((state) => ({ ...state, ...part }));
  const tree = (): TreeState => store.get().tree;
  const loader = createFolderLoader(client, tree, (next) => change({ tree: next }));
  const setExpanded = (expanded: ReadonlySet<string>): void => {
    change({ tree: { ...tree(), expanded } });
    loader.loadMissing();
  };
  const expand = (path: string, open: boolean): void => {
    const expanded = new Set(tree().expanded);
    if (open) expanded.add(path);
    else expanded.delete(path);
    setExpanded(expanded);
  };
  const show = (path: string, focus: boolean): void => change({ selected: path, shown: { path, focus } });

  /** Opens the folders above `path`, waits for them and brings it on screen. */
  const reveal = async (path: string, focus = false): Promise<void> => {
    const above = ancestorsOf(path);
    const closed = above.filter((folder) => !tree().expanded.has(folder));
    if (closed.length > 0) change({ tree: { ...tree(), expanded: new Set([...tree().expanded, ...above]) } });
    for (const folder of ['', ...above]) await loader.ensure(folder);
    if (entryAt(tree(), path)) show(path, focus);
  };

  const attempt = attempts(change);

  const move = (from: string, to: string): Promise<boolean> =>
    attempt(`${baseName(from)} could not be moved`, async () => {
      await client.files.move({ from, to });
      news.onMoved?.(from, to);
      const opened = [...tree().expanded].map((folder) => movedPath(folder, from, to) ?? folder);
      change({ cut: null, tree: { ...tree(), expanded: new Set(opened) } });
      await Promise.all([loader.load(parentOf(from)), loader.load(parentOf(to))]);
      await reveal(to, true);
    });

  return {
    store: store as ReadableStore<ExplorerState>,
    start: () => followProject(client, store, loader, setExpanded),
    expand,
    reveal,
    move,
    select: (path: string | null) => change({ selected: path }),
    show,
    collapseAll: () => setExpanded(new Set()),
    startDraft: (draft: Draft | null) => {
      change({ draft });
      if (draft?.kind === 'create' && draft.folder !== '') expand(draft.folder, true);
    },
    cut: (path: string | null) => change({ cut: path }),
    dismissFailure: () => change({ failure: null }),
    retry: (folder: string) => {
      change({ tree: withoutFailure(tree(), folder) });
      loader.loadMissing();
    },
    refresh: () => Promise.all([...tree().folders.keys()].map((folder) => loader.load(folder))),
    putInto: async (path: string, folder: string): Promise<boolean> => {
      const to = dropTarget(path, folder);
      return to === null ? false : move(path, to);
    },
    create: (folder: string, name: string, what: 'file' | 'folder') =>
      attempt(`${name} could not be created`, async () => {
        const path = joinPath(folder, name);
        await client.files.create({ path, kind: what });
        change({ draft: null });
        await loader.load(folder);
        await reveal(path, true);
      }),
    remove: (path: string) =>
      attempt(`${baseName(path)} could not be deleted`, async () => {
        await client.files.remove({ path });
        news.onRemoved?.(path);
        await loader.load(parentOf(path));
      }),
    revealInFileManager: (path: string) =>
      attempt('The file manager could not be opened', async () => void (await client.files.reveal({ path }))),
  };
}

/** Runs an action and shows its failure over the tree; true when it was done. */
const attempts =
  (change: (part: Partial<ExplorerState>) => void) =>
  async (title: string, work: () => Promise<void>): Promise<boolean> => {
    change({ failure: null });
    try {
      await work();
      return true;
    } catch (error) {
      change({ failure: { title, error } });
      return false;
    }
  };
