import type { FileContent } from '../../../shared/contract/files';
import type { ErrorShape } from '../../../shared/error';
import { createStore } from '../../lib/store';
import type { Sync } from './sync';
import { NO_TABS, type TabList } from './tabs';

/** Where the cursor goes when a file comes forward; a new object asks again. */
export interface Reveal {
  /** 1-based; null leaves the cursor where it was. */
  line: number | null;
  column: number;
  focus: boolean;
  /** When it was asked for, as `performance.now()` counts. */
  at: number;
}

/** A text file as the panes see it; the text itself is in Monaco's model of that address. */
export interface TextView {
  kind: 'text';
  uri: string;
  /** The language as people call it. */
  language: string;
  encoding: string;
  bom: boolean;
  eol: 'lf' | 'crlf' | 'mixed';
  large: boolean;
  readOnly: boolean;
  sizeBytes: number;
  sync: Sync;
  reveal: Reveal | null;
  /** A large file changed on the disk: it is read again only when asked for. */
  stale: boolean;
}

export type FileView =
  | { kind: 'loading' }
  | { kind: 'failed'; error: ErrorShape }
  | TextView
  | Exclude<FileContent, { kind: 'text' }>;

/** The question before unsaved text is closed. */
export interface CloseQuestion {
  paths: readonly string[];
  answer: (choice: 'save' | 'discard' | 'cancel') => void;
}

export interface EditorState {
  tabs: TabList;
  /** By path; a tab whose file was not looked at yet has none. */
  files: ReadonlyMap<string, FileView>;
  dirtyPaths: readonly string[];
  question: CloseQuestion | null;
  /** True once the tabs of the last time are back. */
  restored: boolean;
}

export const editorState = createStore<EditorState>({
  tabs: NO_TABS,
  files: new Map(),
  dirtyPaths: [],
  question: null,
  restored: false,
});

const samePaths = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((path, index) => path === right[index]);

export function setTabs(change: (tabs: TabList) => TabList): void {
  editorState.update((state) => {
    const tabs = change(state.tabs);
    return tabs === state.tabs ? state : { ...state, tabs };
  });
}

/** Puts in, replaces or (null) takes out what is known of a file. */
export function setFile(path: string, view: FileView | null): void {
  editorState.update((state) => {
    const files = new Map(state.files);
    if (view) files.set(path, view);
    else files.delete(path);
    const dirty = [...files]
      .filter(([, file]) => file.kind === 'text' && file.sync.dirty)
      .map(([key]) => key);
    return { ...state, files, dirtyPaths: samePaths(dirty, state.dirtyPaths) ? state.dirtyPaths : dirty };
  });
}

export const textViewOf = (path: string): TextView | null => {
  const view = editorState.get().files.get(path);
  return view?.kind === 'text' ? view : null;
};
