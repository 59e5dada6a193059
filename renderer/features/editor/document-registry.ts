import type * as Monaco from 'monaco-editor';
import type { FileContent } from '../../../shared/contract/files';
import type { Sha256 } from '../../../shared/model/ids';
import { setFile, textViewOf, type Reveal, type TextView } from './editor-state';
import type { LineEdit } from './line-edits';
import { followTrail, NO_TRAIL, type MergeTrail, type TextBase } from './merge-trail';
import { freshSync, nextSync, type SyncEvent } from './sync';
import { createTextModel, languageNameOf, makeEdits, replaceText } from './text-model';

export type TextContent = Extract<FileContent, { kind: 'text' }>;
export type SaveOutcome = 'saved' | 'nothing' | 'refused' | 'failed';

/** One open text file: its model and what belongs to it but not on screen. */
export interface TextDocument {
  path: string;
  realPath: string;
  readonly monaco: typeof Monaco;
  readonly model: Monaco.editor.ITextModel;
  /** What the text started from: loaded, saved or merged last. */
  base: TextBase;
  /** What the last look at the disk found where it could not be taken over; null when it was no text. */
  seenText: string | null;
  trail: MergeTrail;
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
  /** The text stands on something else now, by undo or redo: what is on the disk may be another matter. */
  onLookWanted: (path: string) => void;
  /** `path` is another way to a file that is open already. */
  onAlias: (path: string, openPath: string) => void;
}

export type DocumentRegistry = ReturnType<typeof createDocumentRegistry>;

export const isDirty = (document: TextDocument): boolean =>
  document.model.getAlternativeVersionId() !== document.base.version;

/** The text is now what it is compared with. */
export function settle(document: TextDocument, text: string, hash: Sha256 | null, version: number): void {
  document.base = { text, hash, version };
  document.seenText = null;
  document.trail = NO_TRAIL;
}

/** Puts other text into the model. A reload is no edit: it never marks a tab (case-D02). */
export function replaceAll(document: TextDocument, text: string): void {
  document.replacing = true;
  replaceText(document.monaco, document.model, text);
  document.replacing = false;
}

/** Follows undo and redo across merges. @returns whether the text stands on something else now */
function cross(
  document: TextDocument,
  { isUndoing, isRedoing }: { isUndoing: boolean; isRedoing: boolean },
): boolean {
  const how = isUndoing ? 'undo' : isRedoing ? 'redo' : 'edit';
  const { trail, base } = followTrail(document.trail, document.model.getAlternativeVersionId(), how);
  document.trail = trail;
  if (base !== null) document.base = base;
  return base !== null;
}

/** As {@link replaceAll}, by edits that are known already. */
export function editLines(document: TextDocument, edits: readonly LineEdit[]): void {
  document.replacing = true;
  makeEdits(document.monaco, document.model, edits);
  document.replacing = false;
}

function newDocument(monaco: typeof Monaco, path: string, content: TextContent): TextDocument {
  const model = createTextModel(monaco, path, content.text, content.large);
  return {
    path,
    realPath: content.realPath ?? content.path,
    monaco,
    model,
    base: { text: content.text, hash: content.hash, version: model.getAlternativeVersionId() },
    seenText: null,
    trail: NO_TRAIL,
    epoch: 0,
    looking: false,
    lookAgain: false,
    saving: null,
    replacing: false,
  };
}

export function viewOf(document: TextDocument, content: TextContent, reveal: Reveal | null): TextView {
  const { encoding, bom, eol, large, readOnly, sizeBytes, hash } = content;
  const facts = { encoding, bom, eol, large, readOnly, sizeBytes, reveal };
  return {
    kind: 'text',
    uri: document.model.uri.toString(),
    language: languageNameOf(document.monaco, document.model),
    sync: freshSync(hash),
    stale: false,
    ...facts,
  };
}

/** The open text files by path, and what becomes of their standing towards the disk. */
export function createDocumentRegistry(events: DocumentEvents) {
  const documents = new Map<string, TextDocument>();
  /** Where to go in files that are not there yet. */
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

  const adopt = (monaco: typeof Monaco, path: string, content: TextContent): TextDocument => {
    const document = newDocument(monaco, path, content);
    document.model.onDidChangeContent((change) => {
      if (document.replacing) return;
      if (cross(document, change)) {
        send(document.path, { type: 'rebased', hash: document.base.hash, dirty: isDirty(document) });
        events.onLookWanted(document.path);
      }
      const wasChanged = textViewOf(document.path)?.sync.disk === 'changed';
      send(document.path, { type: 'edited', dirty: isDirty(document) });
      // Without unsaved text there is nothing to choose: the file follows the disk.
      if (wasChanged && !isDirty(document)) events.onLookWanted(document.path);
      if (isDirty(document)) events.onEdit(document.path);
    });
    documents.set(path, document);
    setFile(path, viewOf(document, content, reveals.get(path) ?? null));
    reveals.delete(path);
    return document;
  };

  const drop = (path: string): void => {
    const document = documents.get(path);
    documents.delete(path);
    reveals.delete(path);
    setFile(path, null);
    document?.model.dispose();
  };

  const reveal = (path: string, place: Reveal): void => {
    if (documents.has(path)) patch(path, { reveal: place });
    else reveals.set(path, place);
  };

  return { documents, reveals, events, send, patch, adopt, drop, reveal };
}
