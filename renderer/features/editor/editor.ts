import type { Client } from '../../../shared/contract/contract';
import type { FileContent } from '../../../shared/contract/files';
import { isWithin } from '../../lib/files/workspace-path';
import { toastError } from '../../lib/toast-store';
import { createAutoSave } from './auto-save';
import { createBackupKeeper } from './backup-keeper';
import { createDocuments, type Documents } from './documents';
import { editorState, setTabs, textViewOf, type CloseQuestion } from './editor-state';
import { followDisk } from './follow-disk';
import { followStatus } from './follow-status';
import { recallTabs, rememberTabs, withRemembered, type TabMemory } from './tab-memory';
import {
  activate,
  activeTab,
  closeTabs,
  moveTab,
  neighbour,
  openDiffTab,
  openTab,
  pin,
  renameTabs,
} from './tabs';

/** 1-based. */
export interface FilePlace {
  line?: number;
  column?: number;
  /** A tab that the next preview takes the place of; the focus stays where it is. */
  preview?: boolean;
}

export interface DiffRequest {
  title: string;
  /** Tells the language; need not exist. */
  path: string;
  original: string;
  modified: string;
  /** What the sides are called; "Before" and "After" without it. */
  sides?: readonly [string, string];
}

export type Editor = ReturnType<typeof createEditor>;

const tabs = () => editorState.get().tabs;

/** The open tabs and files of one window, and what people do with them. */
export function createEditor(client: Client) {
  const documents: Documents = createDocuments(client, {
    onEdit: (path) => {
      setTabs((list) => pin(list, path));
      backups.note(path);
      autoSave.note(path);
    },
    onClean: (path) => backups.drop(path),
    onAlias: (path, openPath) => {
      setTabs((list) => activate(closeTabs(list, new Set([path])), openPath));
      sweep();
    },
  });
  const backups = createBackupKeeper(client, documents.textOf);
  const autoSave = createAutoSave(documents.save);
  let memory: TabMemory | null = null;

  /** Lets go of files without a tab. */
  const sweep = (): void => {
    const open = new Set(tabs().tabs.map((tab) => tab.id));
    for (const path of documents.paths()) if (!open.has(path)) documents.close(path);
  };

  const activatePath = (id: string): void => {
    if (id !== tabs().active) autoSave.leave();
    setTabs((list) => activate(list, id));
  };

  const openFile = async (path: string, place: FilePlace = {}): Promise<void> => {
    const preview = place.preview === true;
    if (path !== tabs().active) autoSave.leave();
    documents.reveal(path, { line: place.line ?? null, column: place.column ?? 1, focus: !preview });
    setTabs((list) => openTab(list, path, preview));
    sweep();
    await documents.open(path);
  };

  const close = async (ids: readonly string[]): Promise<boolean> => {
    const dirty = ids.filter((id) => textViewOf(id)?.sync.dirty === true);
    const choice = dirty.length === 0 ? 'discard' : await ask(dirty);
    if (choice === 'cancel') return false;
    const unsaved = choice === 'save' ? await saveEach(documents, dirty) : [];
    const closing = new Set(ids.filter((id) => !unsaved.includes(id)));
    for (const id of closing) backups.drop(id);
    setTabs((list) => closeTabs(list, closing));
    sweep();
    return unsaved.length === 0;
  };

  const openDiff = (request: DiffRequest): void => {
    const { title, path, original, modified, sides = ['Before', 'After'] } = request;
    const id = `\0diff:${path}:${title}`;
    setTabs((list) => openDiffTab(list, { kind: 'diff', id, title, path, original, modified, sides }));
  };

  const start = (): (() => void) => {
    memory = rememberTabs(client);
    const flush = (): void => {
      backups.flush();
      memory?.flush();
    };
    const onHide = (): void => {
      if (document.visibilityState === 'hidden') flush();
    };
    window.addEventListener('blur', autoSave.leave);
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', onHide);
    const stops = [
      loadActive(documents),
      followDisk(client, documents, moved),
      followStatus(),
      memory.stop,
      autoSave.stop,
    ];
    if (!editorState.get().restored) void restore(client, documents, backups.known);
    return () => {
      flush();
      window.removeEventListener('blur', autoSave.leave);
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', onHide);
      for (const stop of stops) stop();
    };
  };

  /** A file or folder has another name now: what is open of it follows. */
  const moved = (from: string, to: string): void => {
    const dirty = documents.under(from).filter((path) => textViewOf(path)?.sync.dirty === true);
    for (const path of dirty) backups.drop(path);
    documents.rename(from, to);
    setTabs((list) => renameTabs(list, from, to));
    for (const path of documents.under(to)) if (textViewOf(path)?.sync.dirty === true) backups.note(path);
    sweep();
  };

  const showConflict = async (path: string): Promise<void> => {
    const mine = documents.textOf(path);
    if (mine === null) return;
    const disk: FileContent = await client.files.read({ path });
    const original = disk.kind === 'text' ? disk.text : '';
    openDiff({
      title: `${path.slice(path.lastIndexOf('/') + 1)}: disk and yours`,
      path,
      original,
      modified: mine,
      sides: ['On the disk', 'Yours'],
    });
  };

  return {
    start,
    openFile,
    openDiff,
    moved,
    showConflict,
    close,
    activate: activatePath,
    pin: (id: string) => setTabs((list) => pin(list, id)),
    moveTab: (id: string, beforeId: string | null) => setTabs((list) => moveTab(list, id, beforeId)),
    cycle: (by: 1 | -1) => {
      const id = neighbour(tabs(), by);
      if (id !== null) activatePath(id);
    },
    save: documents.save,
    saveActive: async () => {
      const tab = activeTab(tabs());
      return tab?.kind === 'file' ? await documents.save(tab.path) : 'nothing';
    },
    saveAll: async () => void (await saveEach(documents, editorState.get().dirtyPaths)),
    closeActive: async () => {
      const { active } = tabs();
      if (active !== null) await close([active]);
    },
    reload: documents.reload,
    keepMine: async (path: string) => {
      const wanted = textViewOf(path)?.sync.saveWanted === true;
      documents.keepMine(path);
      if (wanted) await documents.save(path);
    },
    dismissFailure: documents.dismissFailure,
    leave: autoSave.leave,
    placeChanged: () => memory?.touch(),
    closeUnder: (folder: string) =>
      close(
        tabs()
          .tabs.filter((tab) => isWithin(folder, tab.id))
          .map((tab) => tab.id),
      ),
  };
}

/** One question at a time: a second one cancels the first. */
function ask(paths: readonly string[]): Promise<'save' | 'discard' | 'cancel'> {
  editorState.get().question?.answer('cancel');
  return new Promise((resolve) => {
    const question: CloseQuestion = {
      paths,
      answer: (choice) => {
        editorState.update((state) => (state.question === question ? { ...state, question: null } : state));
        resolve(choice);
      },
    };
    editorState.update((state) => ({ ...state, question }));
  });
}

/** Saves one file after the other; answers those that are still unsaved. */
async function saveEach(documents: Documents, paths: readonly string[]): Promise<string[]> {
  const unsaved: string[] = [];
  for (const path of paths) {
    const outcome = await documents.save(path);
    if (outcome === 'refused' || outcome === 'failed') unsaved.push(path);
  }
  return unsaved;
}

/** Reads a file when its tab comes forward for the first time. */
function loadActive(documents: Documents): () => void {
  let due = false;
  const check = (): void => {
    due = false;
    const { tabs: list, files } = editorState.get();
    const tab = activeTab(list);
    if (tab?.kind === 'file' && !files.has(tab.path)) void documents.open(tab.path);
  };
  // One change may come in several steps; the last one counts.
  const later = (): void => {
    if (due) return;
    due = true;
    queueMicrotask(check);
  };
  later();
  return editorState.subscribe(later);
}

/** Brings back the tabs and the unsaved text of the last time. */
async function restore(client: Client, documents: Documents, known: (path: string) => void): Promise<void> {
  try {
    const [memory, backups] = await Promise.all([recallTabs(client), client.files.backups(null)]);
    for (const backup of backups) known(backup.path);
    const unsaved = backups.map(({ path }) => ({ path, preview: false }));
    const remembered =
      memory?.tabs.filter(({ path }) => !backups.some((backup) => backup.path === path)) ?? [];
    const back = { tabs: [...remembered, ...unsaved], active: memory?.active ?? null };
    for (const backup of backups) await documents.restore(backup);
    setTabs((list) => withRemembered(list, back));
  } catch (error) {
    toastError(error, 'The tabs of the last time could not be opened');
  } finally {
    editorState.update((state) => ({ ...state, restored: true }));
  }
}
