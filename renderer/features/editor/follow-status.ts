import { statusStore } from '../../lib/status-store';
import { editorState } from './editor-state';
import { encodingLabel, eolLabel } from './file-words';
import { activeTab } from './tabs';

/** What only the code on screen knows. */
export interface CursorFacts {
  line: number;
  column: number;
  selectedChars: number;
  indent: string;
}

const NO_CURSOR: CursorFacts = { line: 1, column: 1, selectedChars: 0, indent: '' };

export const reportCursor = (facts: CursorFacts): void =>
  statusStore.editor.update((status) => ({ ...status, ...facts }));

function report(): void {
  const { tabs, files, dirtyPaths } = editorState.get();
  const tab = activeTab(tabs);
  const path = tab?.path ?? null;
  const view = tab?.kind === 'file' ? files.get(tab.path) : undefined;
  const text =
    view?.kind === 'text'
      ? { encoding: encodingLabel(view.encoding, view.bom), eol: eolLabel(view.eol), language: view.language }
      : { ...NO_CURSOR, encoding: '', eol: '', language: '' };
  const next = { path, dirtyFiles: dirtyPaths.length, ...text };
  const now = statusStore.editor.get();
  const same = Object.entries(next).every(([key, value]) => now[key as keyof typeof now] === value);
  if (!same) statusStore.editor.update((status) => ({ ...status, ...next }));
}

/** Tells the status bar and the close guard about the file in front until the returned function is called. */
export function followStatus(): () => void {
  report();
  return editorState.subscribe(report);
}
