import type { CSSProperties } from 'react';
import { Icon } from '../../ui/icon';
import { Button } from '../../ui/button';
import type { Explorer } from './explorer-store';
import type { TreeRow } from './tree-model';

type Note = Extract<TreeRow, { kind: 'waiting' | 'empty' | 'failed' }>;

/** Stands where a folder's entries would: they are on their way, there are none, or they can't be had. */
export function NoteRow({ row, explorer }: { row: Note; explorer: Explorer }) {
  const style = { '--depth': row.depth } as CSSProperties;
  if (row.kind === 'waiting') {
    return (
      <div
        className="explorer-row explorer-waiting"
        style={style}
        role="treeitem"
        aria-label="Loading"
        aria-level={row.depth + 1}
      >
        <span className="explorer-bone" />
      </div>
    );
  }
  if (row.kind === 'empty') {
    return (
      <div className="explorer-row explorer-note" style={style} role="presentation">
        <span className="explorer-gap" />
        {row.folder === '' ? 'This folder is empty.' : 'Empty'}
      </div>
    );
  }
  const words = [row.error.message, row.error.hint].filter((text) => text !== undefined).join(' ');
  return (
    <div
      className="explorer-row explorer-failed"
      style={style}
      role="treeitem"
      aria-level={row.depth + 1}
      title={words}
    >
      <Icon name="error" />
      <span className="ui-clip" role="alert">
        {row.error.message}
      </span>
      <Button size="small" variant="quiet" onClick={() => explorer.retry(row.folder)}>
        Try again
      </Button>
    </div>
  );
}
