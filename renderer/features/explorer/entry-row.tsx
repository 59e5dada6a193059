import type { CSSProperties, DragEvent, MouseEvent } from 'react';
import { fileIcon } from '../../lib/files/file-icon';
import { parentOf } from '../../lib/files/workspace-path';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import type { MenuPlace } from './entry-menu';
import type { Explorer } from './explorer-store';
import type { EntryRow } from './tree-keys';
import { isFolder } from './tree-model';
import { DRAG_TYPE, type DropTarget } from './use-drop-target';

export interface EntryRowProps {
  row: EntryRow;
  explorer: Explorer;
  drop: DropTarget;
  selected: boolean;
  active: boolean;
  cut: boolean;
  onOpen: (path: string, options: { preview: boolean }) => void;
  onMenu: (place: MenuPlace) => void;
}

function iconOf({ entry, expanded }: EntryRow): string {
  if (entry.kind === 'link')
    return entry.target === 'folder' ? 'file-symlink-directory' : 'file-symlink-file';
  if (entry.kind === 'folder') return expanded === true ? 'folder-opened' : 'folder';
  return fileIcon(entry.path);
}

/** What the looks of a row say, in words for screen readers and for the tooltip. */
function notesOf({ entry }: EntryRow): string[] {
  const broken = entry.kind === 'link' && entry.target === null;
  return [
    entry.kind === 'link' && !broken ? 'link' : '',
    broken ? 'link that leads nowhere in this project' : '',
    entry.ignored ? 'ignored by git' : '',
  ].filter((note) => note !== '');
}

export function EntryRowView({ row, explorer, drop, selected, active, cut, onOpen, onMenu }: EntryRowProps) {
  const { entry, expanded, depth } = row;
  const folder = isFolder(entry);
  const notes = notesOf(row);
  const into = folder ? entry.path : parentOf(entry.path);
  const onClick = (): void => {
    explorer.select(entry.path);
    if (folder) explorer.expand(entry.path, expanded !== true);
    else onOpen(entry.path, { preview: true });
  };
  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    explorer.select(entry.path);
    onMenu({ path: entry.path, x: event.clientX, y: event.clientY });
  };
  const onDragStart = (event: DragEvent): void => {
    event.dataTransfer.setData(DRAG_TYPE, entry.path);
    event.dataTransfer.setData('text/plain', entry.path);
    event.dataTransfer.effectAllowed = 'copyMove';
  };
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={selected}
      aria-expanded={expanded ?? undefined}
      aria-current={active || undefined}
      aria-label={[entry.name, ...notes].join(', ')}
      title={[entry.path, ...notes].join(', ')}
      tabIndex={selected ? 0 : -1}
      draggable
      className={classNames(
        'explorer-row',
        entry.ignored && 'explorer-ignored',
        cut && 'explorer-cut',
        folder && drop.folder === entry.path && 'explorer-drop',
      )}
      style={{ '--depth': depth } as CSSProperties}
      onClick={onClick}
      onDoubleClick={() => !folder && onOpen(entry.path, { preview: false })}
      onAuxClick={(event) => event.button === 1 && !folder && onOpen(entry.path, { preview: false })}
      onFocus={() => explorer.select(entry.path)}
      onContextMenu={onContextMenu}
      onDragStart={onDragStart}
      onDragOver={(event) => drop.over(event, into)}
      onDrop={(event) => drop.drop(event, into)}
    >
      {folder ? (
        <Icon name={expanded === true ? 'chevron-down' : 'chevron-right'} />
      ) : (
        <span className="explorer-gap" />
      )}
      <Icon name={iconOf(row)} />
      <span className="explorer-name ui-clip">{entry.name}</span>
    </div>
  );
}
