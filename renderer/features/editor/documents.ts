import type * as Monaco from 'monaco-editor';
import type { Client } from '../../../shared/contract/contract';
import type { Backup, FileContent } from '../../../shared/contract/files';
import { toErrorShape } from '../../../shared/error';
import type { Sha256 } from '../../../shared/model/ids';
import { isWithin, movedPath } from '../../lib/files/workspace-path';
import { createDiskLook } from './disk-look';
import {
  createDocumentRegistry,
  type DocumentEvents,
  type DocumentRegistry,
  type SaveOutcome,
  type TextDocument,
} from './document-registry';
import { createSave, type SaveEncoding } from './document-save';
import { editorState, setFile, textViewOf } from './editor-state';
import { createMergeIn } from './merge-in';
import { NO_TRAIL, NO_VERSION } from './merge-trail';
import { loadMonaco } from './monaco/load';
import { restoreBackup } from './restore-backup';
import { followName, textOf } from './text-model';

export type Documents = ReturnType<typeof createDocuments>;

/** The open files. Each real file has one model; what the panes show of it is in `editorState`. */
export function createDocuments(client: Client, events: Omit<DocumentEvents, 'onLookWanted'>) {
  const registry = createDocumentRegistry({ ...events, onLookWanted: (path) => void look(path) });
  const { documents, send } = registry;
  const mergeIn = createMergeIn(client, registry);
  const disk = createDiskLook(client, registry, mergeIn);
  const save = createSave(client, registry, { look: disk.look, mergeIn });
  const opener = createOpener(client, registry);

  const look = async (path: string): Promise<void> => {
    const document = documents.get(path);
    if (document) return await disk.look(document);
    const view = editorState.get().files.get(path);
    // Images, notices and failures are simply read again.
    if (view && view.kind !== 'loading') await opener.open(path);
  };

  return {
    open: opener.open,
    look,
    restore: (backup: Backup) => restoreBackup({ client, registry, mergeIn, forget: opener.forget }, backup),
    rename: (from: string, to: string) => rename(registry, from, to),
    save: async (path: string, encoding?: SaveEncoding): Promise<SaveOutcome> => {
      const document = documents.get(path);
      return document ? await save(document, encoding) : 'nothing';
    },
    reload: async (path: string): Promise<void> => {
      const document = documents.get(path);
      await (document ? disk.reload(document) : opener.open(path));
    },
    close: (path: string): void => {
      opener.forget(path);
      registry.drop(path);
    },
    textOf: (path: string): string | null => {
      const document = documents.get(path);
      return document ? textOf(document.monaco, document.model) : null;
    },
    paths: (): string[] => [...editorState.get().files.keys()],
    under: (folder: string): string[] =>
      [...editorState.get().files.keys()].filter((path) => isWithin(folder, path)),
    keepMine: (path: string): void => {
      keepMine(documents.get(path), textViewOf(path)?.sync.diskHash ?? null);
      send(path, { type: 'kept_mine' });
    },
    dismissFailure: (path: string): void => send(path, { type: 'dismissed' }),
    /** Moves the cursor now, or once the file is there. */
    reveal: registry.reveal,
  };
}

/** What lies on the disk counts as seen: later changes of it are merged into the text, this one is not. */
function keepMine(document: TextDocument | undefined, hash: Sha256 | null): void {
  if (!document) return;
  document.base = { text: document.seenText, hash, version: NO_VERSION };
  document.seenText = null;
  document.trail = NO_TRAIL;
}

/** Reads files for the first time. */
function createOpener(client: Client, registry: DocumentRegistry) {
  const { documents, events, adopt } = registry;
  const opening = new Map<string, object>();

  const show = (monaco: typeof Monaco, path: string, content: FileContent): void => {
    if (content.kind !== 'text') {
      setFile(path, content);
      return;
    }
    const real = content.realPath ?? content.path;
    const same = [...documents.values()].find((other) => other.realPath === real && other.path !== path);
    if (same) events.onAlias(path, same.path);
    else adopt(monaco, path, content);
  };

  const open = async (path: string): Promise<void> => {
    if (documents.has(path) || opening.has(path)) return;
    const token = {};
    opening.set(path, token);
    if (!editorState.get().files.has(path)) setFile(path, { kind: 'loading' });
    // Closed, or restored from a backup, while it was being read.
    const current = (): boolean => opening.get(path) === token;
    try {
      const [content, monaco] = await Promise.all([client.files.read({ path }), loadMonaco()]);
      if (current()) show(monaco, path, content);
    } catch (error) {
      if (current()) setFile(path, { kind: 'failed', error: toErrorShape(error) });
    } finally {
      if (current()) opening.delete(path);
    }
  };

  return { open, forget: (path: string): void => void opening.delete(path) };
}

/** Open files below `from` go on under their new names, text and undo included. */
function rename(registry: DocumentRegistry, from: string, to: string): void {
  const { documents, drop } = registry;
  for (const document of [...documents.values()]) {
    const path = movedPath(document.path, from, to);
    const view = textViewOf(document.path);
    if (path === null || !view || path === document.path) continue;
    if (documents.has(path)) drop(path);
    documents.delete(document.path);
    setFile(document.path, null);
    document.path = path;
    document.realPath = movedPath(document.realPath, from, to) ?? document.realPath;
    documents.set(path, document);
    const language = view.large ? view.language : followName(document.monaco, document.model, path);
    const sync = view.sync.disk === 'deleted' ? { ...view.sync, disk: 'same' as const } : view.sync;
    setFile(path, { ...view, language, sync });
  }
}
