import { useRef, type KeyboardEvent } from 'react';
import { parentOf } from '../../lib/files/workspace-path';
import type { FileTreeProps } from './file-tree-props';
import { treeMove, typeAhead, type EntryRow } from './tree-keys';
import { folderFor, type TreeRow } from './tree-model';

/** Letters typed within this time make one word. */
const WORD_MS = 800;

/** The keys of the tree: movement, type-ahead, opening, renaming, deleting, cut and paste, the menu. */
export function useTreeKeys(props: FileTreeProps, rows: readonly TreeRow[], pageRows: () => number) {
  const typed = useRef({ word: '', at: 0 });
  const entries = (): EntryRow[] => rows.filter((row) => row.kind === 'entry');

  const onLetter = (letter: string, selected: string | null): void => {
    const now = performance.now();
    const word = now - typed.current.at < WORD_MS ? typed.current.word + letter : letter;
    typed.current = { word, at: now };
    const path = typeAhead(entries(), selected, word);
    if (path !== null) props.explorer.show(path, true);
  };

  return (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.altKey) return;
    const { explorer } = props;
    const { selected } = explorer.store.get();
    const move = event.ctrlKey || event.metaKey ? null : treeMove(event.key, entries(), selected, pageRows());
    const row = entries().find((entry) => entry.entry.path === selected);
    if (move) {
      if (move.kind === 'select') explorer.show(move.path, true);
      else explorer.expand(move.path, move.kind === 'expand');
    } else if (!onAction(event, props, row)) {
      const letter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey;
      if (!letter) return;
      onLetter(event.key, selected);
    }
    event.preventDefault();
  };
}

/** True when the key did something. */
function onAction(event: KeyboardEvent, props: FileTreeProps, row: EntryRow | undefined): boolean {
  const { explorer, onOpen, onDelete, onMenu } = props;
  const mod = event.ctrlKey || event.metaKey;
  const { cut, tree, selected } = explorer.store.get();
  if (mod && event.key.toLowerCase() === 'v' && cut !== null) {
    void explorer.putInto(cut, folderFor(tree, selected));
    return true;
  }
  if (event.key === 'Escape' && cut !== null) {
    explorer.cut(null);
    return true;
  }
  if (!row) return false;
  const { path } = row.entry;
  if (mod && event.key.toLowerCase() === 'x') explorer.cut(path);
  else if (mod) return false;
  else if (event.key === 'Enter' || event.key === ' ') {
    if (row.expanded !== null) explorer.expand(path, !row.expanded);
    else onOpen(path, { preview: event.key === ' ' });
  } else if (event.key === 'F2') explorer.startDraft({ kind: 'rename', path });
  else if (event.key === 'Delete') onDelete(path);
  else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
    const box = document.activeElement?.getBoundingClientRect();
    onMenu({ path, x: (box?.left ?? 0) + 24, y: box?.bottom ?? 0 });
  } else if (event.key === '*') {
    for (const sibling of tree.folders.get(parentOf(path)) ?? []) {
      if (sibling.kind === 'folder') explorer.expand(sibling.path, true);
    }
  } else return false;
  return true;
}
