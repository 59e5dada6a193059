import type { Client } from '../../../shared/contract/contract';
import type { ReadableStore } from '../../lib/store';
import {
  createEditor,
  type DiffRequest,
  type Editor,
  type FilePlace,
  type SideBySideRequest,
} from './editor';
import { editorState, type EditorState } from './editor-state';
import { askOrigin } from './origins/origin-store';
import { decideAtCursor, decideInFront, stepChange } from './review-actions';

let editor: Editor | null = null;
const connected = Promise.withResolvers<Editor>();

/** The window's editor, made when its pane is first on screen. */
export function editorFor(client: Client): Editor {
  if (!editor) {
    editor = createEditor(client);
    connected.resolve(editor);
  }
  return editor;
}

/**
 * What the rest of the window may ask of the editor. Everything waits until the editor's pane is there. `store` tells
 * which files are open and, as `dirtyPaths`, which are unsaved.
 */
export const editorActions = {
  store: editorState as ReadableStore<EditorState>,
  openFile: async (path: string, place?: FilePlace) => (await connected.promise).openFile(path, place),
  /** Two texts side by side in a tab, read-only. The same title and path again replaces what it shows. */
  openDiff: async (request: DiffRequest) => (await connected.promise).openDiff(request),
  /** A file with another text of it beside it; the file's side can be edited. */
  openSideBySide: async (request: SideBySideRequest) => (await connected.promise).openSideBySide(request),
  /** Goes to the next or previous change of the agent in the file in front. */
  stepChange,
  decideAtCursor,
  decideInFront,
  /** Says who wrote the line of the cursor. */
  askOrigin,
  saveActive: async () => (await connected.promise).saveActive(),
  saveAll: async () => (await connected.promise).saveAll(),
  closeActive: async () => (await connected.promise).closeActive(),
  /** Tells that a file or folder was moved or renamed, so that its tabs follow. */
  noteMoved: async (from: string, to: string) => (await connected.promise).moved(from, to),
  /** Tells that a file or folder was deleted in this window: tabs without unsaved text close. */
  noteRemoved: async (path: string) => (await connected.promise).removed(path),
} as const;
