import type { KeyboardEvent } from 'react';
import type { ReviewFile } from '../../../shared/model/change';
import { fileIcon } from '../../lib/files/file-icon';
import { formatCount, splitPath } from '../../lib/format';
import { changesOf } from '../../lib/review/review-words';
import { VirtualList } from '../../ui/virtual-list';
import { Icon } from '../../ui/icon';
import { CHANGE_WORDS, Counts } from '../../lib/review/file-facts';
import type { ReviewState } from '../../lib/review/review-state';

const LETTERS = { create: 'A', modify: 'M', delete: 'D', move: 'R' } as const;

export interface FileListProps {
  files: readonly ReviewFile[];
  notes: ReviewState['notes'];
  /** The file of the current change. */
  current: string | null;
  /** Shows a file's first change; `go` takes the focus there. */
  onShow: (path: string, go: boolean) => void;
}

/** The files that wait for review. Arrows walk them, Enter goes to the file's changes. */
export function FileList({ files, notes, current, onShow }: FileListProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = files.findIndex(({ path }) => path === current);
    const next = files[Math.min(files.length - 1, Math.max(0, at + by))];
    if (!next) return;
    onShow(next.path, false);
    const list = event.currentTarget;
    requestAnimationFrame(() => focusRow(list, next.path));
  };
  return (
    <VirtualList
      className="rv-files"
      role="list"
      aria-label="Files to review"
      items={files}
      rowHeight={26}
      getKey={({ path }) => path}
      onKeyDown={onKeyDown}
      renderRow={(file) => (
        <FileRow
          file={file}
          noted={notes.has(file.path)}
          current={file.path === current || (current === null && file === files[0])}
          onShow={onShow}
        />
      )}
    />
  );
}

function focusRow(list: Element, path: string): void {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-file]')];
  rows.find(({ dataset }) => dataset['file'] === path)?.focus();
}

interface RowProps extends Pick<FileListProps, 'onShow'> {
  file: ReviewFile;
  noted: boolean;
  current: boolean;
}

function FileRow({ file, noted, current, onShow }: RowProps) {
  const { folder, name } = splitPath(file.path);
  const kind = CHANGE_WORDS[file.change] || 'changed';
  const count = formatCount(changesOf(file), 'change');
  return (
    <div role="listitem" className="rv-file-item">
      <button
        type="button"
        data-file={file.path}
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        title={file.path}
        className="rv-file-row"
        onClick={() => onShow(file.path, true)}
      >
        <Icon
          name={noted ? 'warning' : fileIcon(file.path)}
          size={14}
          className={noted ? 'ui-warn' : undefined}
        />
        <span className="rv-row-name ui-clip">{name}</span>
        <span className="rv-row-folder ui-clip">{folder.replace(/\/$/, '')}</span>
        <Counts file={file} />
        <span className={`rv-letter rv-letter-${file.change}`} aria-hidden="true">
          {LETTERS[file.change]}
        </span>
        <span className="ui-sr">{`${kind}, ${count}${noted ? ', needs attention' : ''}`}</span>
      </button>
    </div>
  );
}
