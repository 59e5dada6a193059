import { absolutePath } from '../../lib/files/workspace-path';
import { keyLabel } from '../../lib/keys';
import { projectStore } from '../../lib/project-store';
import { toastError } from '../../lib/toast-store';
import { ContextMenu, type MenuEntry } from '../../ui/menu';
import type { Editor } from './editor';
import { editorState } from './editor-state';

export interface TabMenuPlace {
  id: string;
  x: number;
  y: number;
}

function copy(text: string): void {
  navigator.clipboard
    .writeText(text)
    .catch((error: unknown) => toastError(error, 'The path could not be copied'));
}

export function TabMenu({
  editor,
  place,
  onClose,
}: {
  editor: Editor;
  place: TabMenuPlace;
  onClose: () => void;
}) {
  const { tabs } = editorState.get().tabs;
  const at = tabs.findIndex((tab) => tab.id === place.id);
  const tab = tabs[at];
  const dirty = editorState.get().dirtyPaths;
  const close = (ids: string[]) => () => void editor.close(ids);
  const others = tabs.filter((other) => other.id !== place.id).map((other) => other.id);
  const right = tabs.slice(at + 1).map((other) => other.id);
  const saved = tabs.filter((other) => !dirty.includes(other.id)).map((other) => other.id);
  const root = projectStore.get()?.path ?? '';
  const entries: MenuEntry[] = [
    { id: 'close', label: 'Close', keyHint: keyLabel('Mod+W'), onSelect: close([place.id]) },
    { id: 'others', label: 'Close others', disabled: others.length === 0, onSelect: close(others) },
    { id: 'right', label: 'Close to the right', disabled: right.length === 0, onSelect: close(right) },
    { id: 'saved', label: 'Close saved', disabled: saved.length === 0, onSelect: close(saved) },
    { id: 'all', label: 'Close all', onSelect: close(tabs.map((other) => other.id)) },
  ];
  if (tab?.kind === 'file') {
    entries.push(
      { id: 'line', separator: true },
      { id: 'copy', label: 'Copy path', onSelect: () => copy(absolutePath(root, tab.path)) },
      { id: 'copy-relative', label: 'Copy relative path', onSelect: () => copy(tab.path) },
    );
    if (tab.preview) {
      entries.push(
        { id: 'line-2', separator: true },
        { id: 'keep', label: 'Keep open', onSelect: () => editor.pin(tab.id) },
      );
    }
  }
  return (
    <ContextMenu label="Actions for the tab" x={place.x} y={place.y} entries={entries} onClose={onClose} />
  );
}
