import type { Client } from '../../../shared/contract/contract';
import { isWithin } from '../../lib/files/workspace-path';
import { createAutoSave, type AutoSave } from './auto-save';
import { createBackupKeeper, type BackupKeeper } from './backup-keeper';
import { leavingDocument, mayClose, saveEach } from './close-tabs';
import { createDocuments, type Documents } from './documents';
import { editorState, setTabs, textViewOf } from './editor-state';
import { followDisk } from './follow-disk';
import { followReview } from './follow-review';
import { followStatus } from './follow-status';
import { followInput } from './input-clock';
import { restoreTabs } from './restore-tabs';
import { rememberTabs, type TabMemory } from './tab-memory';
import {
  activate,
  activeTab,
  closeTabs,
  conflictTabId,
  documentOf,
  moveTab,
  neighbour,
  openDiffTab,
  openTab,
  pin,
  renameTabs,
  sideBySideTabId,
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

export interface SideBySideRequest {
  title: string;
  path: string;
  /** The text on the left, LF. */
  original: string;
  sides: readonly [string, string];
}

interface Parts {
  client: Client;
  documents: Documents;
  backups: BackupKeeper;
  autoSave: AutoSave;
  memory: TabMemory;
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
      sweep(documents);
    },
  });
  const backups = createBackupKeeper(client, documents.textOf);
  const autoSave = createAutoSave(documents.save);
  const parts: Parts = { client, documents, backups, autoSave, memory: rememberTabs(client) };
  return {
    ...tabActions(parts),
    ...fileActions(parts),
    start: () => startEditor(parts),
    leave: autoSave.leave,
    placeChanged: parts.memory.touch,
  };
}

/** Lets go of files without a tab. */
function sweep(documents: Documents): void {
  const open = new Set(tabs().tabs.map(documentOf));
  for (const path of documents.paths()) if (!open.has(path)) documents.close(path);
}

function tabActions({ documents, backups, autoSave }: Parts) {
  const activateTab = (id: string): void => {
    if (id !== tabs().active) autoSave.leave();
    setTabs((list) => activate(list, id));
  };
  const close = async (ids: readonly string[]): Promise<void> => {
    const closing = await mayClose(documents, ids);
    for (const id of closing) backups.drop(leavingDocument(ids, id) ?? id);
    setTabs((list) => closeTabs(list, closing));
    sweep(documents);
  };
  return {
    close,
    activate: activateTab,
    pin: (id: string) => setTabs((list) => pin(list, id)),
    moveTab: (id: string, beforeId: string | null) => setTabs((list) => moveTab(list, id, beforeId)),
    cycle: (by: 1 | -1) => {
      const id = neighbour(tabs(), by);
      if (id !== null) activateTab(id);
    },
    closeActive: async () => {
      const { active } = tabs();
      if (active !== null) await close([active]);
    },
    openFile: async (path: string, place: FilePlace = {}): Promise<void> => {
      const preview = place.preview === true;
      if (path !== tabs().active) autoSave.leave();
      const cursor = { line: place.line ?? null, column: place.column ?? 1 };
      documents.reveal(path, { ...cursor, focus: !preview, at: performance.now() });
      setTabs((list) => openTab(list, path, preview));
      sweep(documents);
      await documents.open(path);
    },
    openDiff: ({ sides = ['Before', 'After'], ...request }: DiffRequest): void => {
      const id = `\0diff:${request.path}:${request.title}`;
      const kind = { kind: 'diff', conflict: false, live: false } as const;
      const facts = { ...kind, id, sides, askedAt: performance.now() } as const;
      autoSave.leave();
      setTabs((list) => openDiffTab(list, { ...request, ...facts }));
    },
    /** A file with another text of it beside it; the file's side is the document itself. */
    openSideBySide: async ({ path, original, title, sides }: SideBySideRequest): Promise<void> => {
      const facts = { kind: 'diff', conflict: false, live: true, modified: '' } as const;
      autoSave.leave();
      const tab = {
        ...facts,
        id: sideBySideTabId(path),
        path,
        original,
        title,
        sides,
        askedAt: performance.now(),
      };
      setTabs((list) => openDiffTab(list, tab));
      await documents.open(path);
    },
    /** A file or folder was deleted on purpose: its tabs go, but for those with unsaved text. */
    removed: (path: string): void => {
      const below = tabs().tabs.filter((tab) => tab.kind === 'file' && isWithin(path, tab.path));
      const ids = below.map((tab) => tab.id).filter((id) => textViewOf(id)?.sync.dirty !== true);
      setTabs((list) => closeTabs(list, new Set(ids)));
      sweep(documents);
    },
    /** A file or folder has another name now: what is open of it follows. */
    moved: (from: string, to: string): void => moved(documents, backups, from, to),
  };
}

function moved(documents: Documents, backups: BackupKeeper, from: string, to: string): void {
  const isDirty = (path: string): boolean => textViewOf(path)?.sync.dirty === true;
  for (const path of documents.under(from).filter(isDirty)) backups.drop(path);
  documents.rename(from, to);
  setTabs((list) => renameTabs(list, from, to));
  for (const path of documents.under(to).filter(isDirty)) backups.note(path);
  sweep(documents);
}

function fileActions({ client, documents }: Parts) {
  const closeConflict = (path: string): void =>
    setTabs((list) => closeTabs(list, new Set([conflictTabId(path)])));
  return {
    save: (path: string) => documents.save(path),
    saveAsUtf8: (path: string) => documents.save(path, 'utf-8'),
    saveActive: async () => {
      const tab = activeTab(tabs());
      const path = tab && documentOf(tab);
      return path === null ? 'nothing' : await documents.save(path);
    },
    saveAll: async () => void (await saveEach(documents, editorState.get().dirtyPaths)),
    reload: async (path: string): Promise<void> => {
      closeConflict(path);
      await documents.reload(path);
    },
    /** What lies on the disk is given up; when saving was refused because of it, the text is saved now. */
    keepMine: async (path: string): Promise<void> => {
      const wanted = textViewOf(path)?.sync.saveWanted === true;
      closeConflict(path);
      documents.keepMine(path);
      if (wanted) await documents.save(path);
    },
    /** The disk and the user's text side by side. */
    showConflict: async (path: string): Promise<void> => {
      const modified = documents.textOf(path);
      const disk = await client.files.read({ path });
      if (modified === null) return;
      const title = `${path.slice(path.lastIndexOf('/') + 1)}: disk and yours`;
      const texts = { original: disk.kind === 'text' ? disk.text : '', modified };
      const facts = { id: conflictTabId(path), title, path, conflict: true, live: false } as const;
      setTabs((list) =>
        openDiffTab(list, { kind: 'diff', ...facts, ...texts, sides: ['On the disk', 'Yours'] }),
      );
    },
    dismissFailure: documents.dismissFailure,
  };
}

/** Ties the editor to disk, window and memory until the returned function is called. */
function startEditor({ client, documents, backups, autoSave, memory }: Parts): () => void {
  const flush = (): void => {
    backups.flush();
    memory.flush();
  };
  const onHide = (): void => {
    if (document.visibilityState === 'hidden') flush();
  };
  window.addEventListener('blur', autoSave.leave);
  window.addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', onHide);
  const onMoved = (from: string, to: string): void => moved(documents, backups, from, to);
  const stops = [
    loadActive(documents),
    followDisk(client, documents, onMoved),
    followStatus(),
    followReview(client, documents),
    memory.follow(),
    followInput(),
  ];
  if (!editorState.get().restored) void restoreTabs(client, documents, backups);
  return () => {
    flush();
    autoSave.stop();
    window.removeEventListener('blur', autoSave.leave);
    window.removeEventListener('pagehide', flush);
    document.removeEventListener('visibilitychange', onHide);
    for (const stop of stops) stop();
  };
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
