import { absolutePath, parentOf } from '../../lib/files/workspace-path';
import { keyLabel } from '../../lib/keys';
import { appInfoStore, projectStore } from '../../lib/project-store';
import { toastError } from '../../lib/toast-store';
import { ContextMenu, type MenuEntry } from '../../ui/menu';
import type { Explorer } from './explorer-store';
import { entryAt, folderFor, isFolder } from './tree-model';

export interface MenuPlace {
  /** Null for the empty part of the tree: the project folder. */
  path: string | null;
  x: number;
  y: number;
}

interface EntryMenuProps {
  explorer: Explorer;
  place: MenuPlace;
  onOpen: (path: string, options: { preview: boolean }) => void;
  onDelete: (path: string) => void;
  onClose: () => void;
}

function copy(text: string): void {
  navigator.clipboard
    .writeText(text)
    .catch((error: unknown) => toastError(error, 'The path could not be copied'));
}

function createEntries(explorer: Explorer, folder: string): MenuEntry[] {
  const create = (what: 'file' | 'folder') => () => explorer.startDraft({ kind: 'create', folder, what });
  return [
    { id: 'file', label: 'New file…', onSelect: create('file') },
    { id: 'folder', label: 'New folder…', onSelect: create('folder') },
  ];
}

function pathEntries(explorer: Explorer, path: string): MenuEntry[] {
  const root = projectStore.get()?.path ?? '';
  const host = appInfoStore.get()?.host;
  const names: Record<string, string> = { darwin: 'Show in Finder', win32: 'Show in Explorer' };
  const label = names[appInfoStore.get()?.platform ?? ''] ?? 'Show in file manager';
  return [
    { id: 'copy', label: 'Copy path', onSelect: () => copy(absolutePath(root, path)) },
    ...(path === ''
      ? []
      : [
          {
            id: 'copy-relative',
            label: 'Copy relative path',
            onSelect: () => copy(path),
          } satisfies MenuEntry,
        ]),
    ...(host === 'electron'
      ? [{ id: 'reveal', label, onSelect: () => void explorer.revealInFileManager(path) } satisfies MenuEntry]
      : []),
  ];
}

export function EntryMenu({ explorer, place, onOpen, onDelete, onClose }: EntryMenuProps) {
  const { tree, cut } = explorer.store.get();
  const { path } = place;
  const folder = folderFor(tree, path);
  const entry = path === null ? undefined : entryAt(tree, path);
  const paste: MenuEntry = {
    id: 'paste',
    label: 'Paste',
    keyHint: keyLabel('Mod+V'),
    disabled: cut === null,
    onSelect: () => cut !== null && void explorer.putInto(cut, folder),
  };
  const own: MenuEntry[] = entry
    ? [
        { id: 'cut', label: 'Cut', keyHint: keyLabel('Mod+X'), onSelect: () => explorer.cut(entry.path) },
        paste,
        { id: 'line-2', separator: true },
        ...pathEntries(explorer, entry.path),
        { id: 'line-3', separator: true },
        {
          id: 'rename',
          label: 'Rename…',
          keyHint: 'F2',
          onSelect: () => explorer.startDraft({ kind: 'rename', path: entry.path }),
        },
        {
          id: 'delete',
          label: 'Delete…',
          keyHint: keyLabel('Delete'),
          danger: true,
          onSelect: () => onDelete(entry.path),
        },
      ]
    : [
        paste,
        { id: 'line-2', separator: true },
        ...pathEntries(explorer, ''),
        { id: 'collapse', label: 'Collapse all', onSelect: explorer.collapseAll },
        { id: 'refresh', label: 'Refresh', onSelect: () => void explorer.refresh() },
      ];
  const open: MenuEntry[] =
    entry && !isFolder(entry)
      ? [
          {
            id: 'open',
            label: 'Open',
            onSelect: () => onOpen(entry.path, { preview: false }),
          },
        ]
      : [];
  const createIn = entry && !isFolder(entry) ? parentOf(entry.path) : folder;
  return (
    <ContextMenu
      label={entry ? `Actions for ${entry.name}` : 'Actions for the project folder'}
      x={place.x}
      y={place.y}
      entries={[...open, ...createEntries(explorer, createIn), { id: 'line-1', separator: true }, ...own]}
      onClose={onClose}
    />
  );
}
