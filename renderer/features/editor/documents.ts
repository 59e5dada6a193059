import type * as Monaco from 'monaco-editor';
import type { Client } from '../../../shared/contract/contract';
import type { Backup, FileContent } from '../../../shared/contract/files';
import { AppError, toErrorShape } from '../../../shared/error';
import { isWithin, movedPath } from '../../lib/files/workspace-path';
import { editorState, setFile, textViewOf, type Reveal, type TextView } from './editor-state';
import { loadMonaco } from './monaco/load';
import { freshSync, maySave, mustReload, needsSave, nextSync, saveBase, type SyncEvent } from './sync';
import { createTextModel, followName, languageNameOf, replaceText, textOf } from './text-model';

type TextContent = Extract<FileContent, { kind: 'text' }>;
export type SaveOutcome = 'saved' | 'nothing' | 'refused' | 'failed';

/** One open text file: its model and what belongs to it but not on screen. */
interface TextDocument {
  path: string;
  realPath: string;
  monaco: typeof Monaco;
  model: Monaco.editor.ITextModel;
  /** Monaco's version of the text that was loaded or saved last. */
  savedVersion: number;
  /** Grows with every load and save: a look at the disk from before one of these is out of date. */
  epoch: number;
  looking: boolean;
  lookAgain: boolean;
  saving: Promise<SaveOutcome> | null;
  /** The text is being replaced by what lies on the disk or in a backup: that is no edit. */
  replacing: boolean;
}

export interface DocumentEvents {
  /** The text of a file was edited by hand. */
  onEdit: (path: string) => void;
  /** Text and disk are the same again. */
  onClean: (path: string) => void;
  /** `path` is another way to a file that is open already. */
  onAlias: (path: string, openPath: string) => void;
}

export type Documents = ReturnType<typeof createDocuments>;

/** Codes of a file that is not there, as against one that can't be read. */
const GONE = new Set(['not_found', 'folder_missing']);
const isGone = (error: unknown): boolean => error instanceof AppError && GONE.has(error.code);

const hashOf = (content: FileContent | null) => (content?.kind === 'text' ? content.hash : null);

/** The open files. Each real file has one model; what the panes show of it is in `editorState`. */
export function createDocuments(client: Client, events: DocumentEvents) {
  const documents = new Map<string, TextDocument>();
  /** Paths being read for the first time. */
  const opening = new Map<string, object>();
  const reveals = new Map<string, Reveal>();

  const send = (path: string, event: SyncEvent): void => {
    const view = textViewOf(path);
    if (!view) return;
    const sync = nextSync(view.sync, event);
    if (sync === view.sync) return;
    setFile(path, { ...view, sync });
    if (view.sync.dirty && !sync.dirty) events.onClean(path);
  };
  const patch = (path: string, part: Partial<TextView>): void => {
    const view = textViewOf(path);
    if (view) setFile(path, { ...view, ...part });
  };
  const isDirty = (document: TextDocument): boolean =>
    document.model.getAlternativeVersionId() !== document.savedVersion;

  /** A reload is no edit: it never marks a tab (case-D02). */
  const replace = (document: TextDocument, text: string): void => {
    document.replacing = true;
    replaceText(document.model, text);
    document.replacing = false;
  };

  const drop = (path: string): void => {
    const document = documents.get(path);
    documents.delete(path);
    opening.delete(path);
    reveals.delete(path);
    setFile(path, null);
    document?.model.dispose();
  };

  const adopt = (monaco: typeof Monaco, path: string, content: TextContent): TextDocument => {
    const model = createTextModel(monaco, path, content.text, content.large);
    const document: TextDocument = {
      path,
      realPath: content.realPath ?? content.path,
      monaco,
      model,
      savedVersion: model.getAlternativeVersionId(),
      epoch: 0,
      looking: false,
      lookAgain: false,
      saving: null,
      replacing: false,
    };
    model.onDidChangeContent(() => {
      if (document.replacing) return;
      send(document.path, { type: 'edited', dirty: isDirty(document) });
      if (isDirty(document)) events.onEdit(document.path);
    });
    documents.set(path, document);
    setFile(path, viewOf(document, content, reveals.get(path) ?? null));
    reveals.delete(path);
    return document;
  };

  const show = (monaco: typeof Monaco, path: string, content: FileContent): void => {
    if (content.kind !== 'text') {
      setFile(path, content);
      return;
    }
    const real = content.realPath ?? content.path;
    const same = [...documents.values()].find(
      (document) => document.realPath === real && document.path !== path,
    );
    if (same) events.onAlias(path, same.path);
    else adopt(monaco, path, content);
  };

  const open = async (path: string): Promise<void> => {
    if (documents.has(path) || opening.has(path)) return;
    const token = {};
    opening.set(path, token);
    if (!editorState.get().files.has(path)) setFile(path, { kind: 'loading' });
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

  /** Takes over what is on the disk. */
  const take = (document: TextDocument, content: FileContent): void => {
    document.epoch += 1;
    if (content.kind !== 'text') {
      drop(document.path);
      setFile(document.path, content);
      return;
    }
    const view = textViewOf(document.path);
    replace(document, content.text);
    document.savedVersion = document.model.getAlternativeVersionId();
    const next = viewOf(document, content, view?.reveal ?? null);
    setFile(document.path, next);
    events.onClean(document.path);
  };

  const read = async (path: string): Promise<FileContent | null> => {
    try {
      return await client.files.read({ path });
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  };

  const judge = (document: TextDocument, content: FileContent | null): void => {
    const sync = textViewOf(document.path)?.sync;
    if (!sync) return;
    const hash = hashOf(content);
    const sameText = content?.kind === 'text' && content.text === textOf(document.monaco, document.model);
    if (content && (mustReload(sync, true, hash) || (sameText && hash !== sync.baseHash)))
      take(document, content);
    else send(document.path, { type: 'looked', exists: content !== null, hash });
  };

  /** Compares an open file with the disk by its contents, not by time or size (case-D05). */
  const look = async (path: string): Promise<void> => {
    const document = documents.get(path);
    if (!document) return await lookAtOther(path);
    if (document.looking || document.saving) {
      document.lookAgain = true;
      return;
    }
    if (textViewOf(path)?.large === true) {
      patch(path, { stale: true });
      return;
    }
    document.looking = true;
    try {
      do {
        document.lookAgain = false;
        const epoch = document.epoch;
        const content = await read(document.path);
        if (documents.get(document.path) !== document) return;
        if (document.epoch === epoch && !document.saving) judge(document, content);
        else document.lookAgain = document.saving === null;
      } while (document.lookAgain);
    } catch (error) {
      send(document.path, { type: 'failed', error: toErrorShape(error) });
    } finally {
      document.looking = false;
    }
  };

  /** Images, notices and failures are simply read again. */
  const lookAtOther = async (path: string): Promise<void> => {
    const view = editorState.get().files.get(path);
    if (view && view.kind !== 'loading' && view.kind !== 'text') await open(path);
  };

  const write = async (document: TextDocument): Promise<SaveOutcome> => {
    const { path, model } = document;
    const sync = textViewOf(path)?.sync;
    if (!sync || !needsSave(sync)) return 'nothing';
    if (!maySave(sync)) {
      send(path, { type: 'refused', exists: true, hash: sync.diskHash });
      return 'refused';
    }
    const version = model.getAlternativeVersionId();
    send(path, { type: 'saving' });
    try {
      const request = {
        path,
        text: textOf(document.monaco, model),
        baseHash: saveBase(sync),
        overwrite: false,
      };
      const result = await client.files.save(request);
      document.epoch += 1;
      if (result.kind === 'conflict') {
        send(document.path, {
          type: 'refused',
          exists: result.current !== null,
          hash: hashOf(result.current),
        });
        return 'refused';
      }
      document.savedVersion = version;
      send(document.path, { type: 'saved', hash: result.hash, dirty: isDirty(document) });
      return 'saved';
    } catch (error) {
      send(document.path, { type: 'failed', error: toErrorShape(error) });
      return 'failed';
    }
  };

  /** Saves one after the other; the answer tells how it ended. */
  const save = async (path: string): Promise<SaveOutcome> => {
    const document = documents.get(path);
    if (!document) return 'nothing';
    if (document.saving) await document.saving;
    document.saving = write(document);
    const outcome = await document.saving;
    document.saving = null;
    if (document.lookAgain) void look(document.path);
    return outcome;
  };

  /** Shows what is on the disk; the text from before is one undo away. */
  const reload = async (path: string): Promise<void> => {
    const document = documents.get(path);
    if (!document) return await open(path);
    try {
      const content = await read(path);
      if (content) take(document, content);
      else send(path, { type: 'looked', exists: false, hash: null });
    } catch (error) {
      send(path, { type: 'failed', error: toErrorShape(error) });
    }
  };

  /** Puts unsaved text of the last time over what the disk holds now. */
  const restore = async (backup: Backup): Promise<void> => {
    const monaco = await loadMonaco();
    const content = await read(backup.path);
    if (documents.has(backup.path) || (content && content.kind !== 'text')) return;
    if (content && content.text === backup.text) {
      events.onClean(backup.path);
      return;
    }
    opening.delete(backup.path);
    const place: Reveal = { line: backup.cursorLine, column: backup.cursorColumn, focus: false };
    if (!reveals.has(backup.path)) reveals.set(backup.path, place);
    const document = adopt(monaco, backup.path, content ?? emptyContent(backup));
    replace(document, backup.text);
    const view = textViewOf(backup.path);
    if (!view) return;
    const sync = { ...freshSync(backup.baseHash), dirty: true };
    const looked = nextSync(sync, { type: 'looked', exists: content !== null, hash: hashOf(content) });
    setFile(backup.path, { ...view, sync: looked });
  };

  const rename = (from: string, to: string): void => {
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
      const language = followName(document.monaco, document.model, path);
      const sync = view.sync.disk === 'deleted' ? { ...view.sync, disk: 'same' as const } : view.sync;
      setFile(path, { ...view, language, sync });
    }
  };

  return {
    open,
    look,
    save,
    reload,
    restore,
    rename,
    close: drop,
    textOf: (path: string): string | null => {
      const document = documents.get(path);
      return document ? textOf(document.monaco, document.model) : null;
    },
    paths: (): string[] => [...editorState.get().files.keys()],
    under: (folder: string): string[] =>
      [...editorState.get().files.keys()].filter((path) => isWithin(folder, path)),
    keepMine: (path: string): void => send(path, { type: 'kept_mine' }),
    dismissFailure: (path: string): void => send(path, { type: 'dismissed' }),
    /** Moves the cursor now, or once the file is there. */
    reveal: (path: string, reveal: Reveal): void => {
      if (documents.has(path)) patch(path, { reveal });
      else reveals.set(path, reveal);
    },
  };
}

function viewOf(document: TextDocument, content: TextContent, reveal: Reveal | null): TextView {
  const { encoding, bom, eol, large, readOnly, sizeBytes, hash } = content;
  return {
    kind: 'text',
    uri: document.model.uri.toString(),
    language: languageNameOf(document.monaco, document.model),
    sync: freshSync(hash),
    ...{ encoding, bom, eol, large, readOnly, sizeBytes, reveal },
    stale: false,
  };
}

/** What a file that is not there (any more) would read as. */
const emptyContent = (backup: Backup): TextContent => ({
  kind: 'text',
  path: backup.path,
  text: '',
  hash: backup.baseHash ?? ('0'.repeat(64) as TextContent['hash']),
  encoding: 'utf-8',
  bom: false,
  eol: 'lf',
  large: false,
  readOnly: false,
  sizeBytes: 0,
  mtimeMs: 0,
});
