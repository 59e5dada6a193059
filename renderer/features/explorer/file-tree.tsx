import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, type DragEvent, type MouseEvent } from 'react';
import { useSetting } from '../../lib/settings-store';
import { useStore } from '../../lib/store';
import { DraftRow } from './draft-row';
import { EntryRowView } from './entry-row';
import type { Explorer } from './explorer-store';
import type { FileTreeProps } from './file-tree-props';
import { NoteRow } from './note-row';
import { rowsOf, type TreeRow } from './tree-model';
import { useDropTarget } from './use-drop-target';
import { useTreeKeys } from './use-tree-keys';

const OVERSCAN_ROWS = 12;

/** Only the rows near the visible part are drawn, and the selected one: it holds the focus. */
function useRows(rows: readonly TreeRow[], selectedIndex: number) {
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = useSetting('workbench.density') === 'compact' ? 20 : 22;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN_ROWS,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return selectedIndex < 0 || shown.includes(selectedIndex)
        ? shown
        : [...shown, selectedIndex].sort((left, right) => left - right);
    },
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  return { box, virtual, rowHeight };
}

const indexOf = (rows: readonly TreeRow[], path: string | null): number =>
  rows.findIndex((row) => row.kind === 'entry' && row.entry.path === path);

/** Brings what was asked for on screen once its row exists. */
function useShown(explorer: Explorer, rows: readonly TreeRow[], list: ReturnType<typeof useRows>): void {
  const shown = useStore(explorer.store, (state) => state.shown);
  const done = useRef<typeof shown>(null);
  useEffect(() => {
    if (!shown || done.current === shown) return;
    const index = indexOf(rows, shown.path);
    if (index < 0) return;
    done.current = shown;
    list.virtual.scrollToIndex(index, { align: 'auto' });
    if (!shown.focus) return;
    requestAnimationFrame(() =>
      list.box.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
    );
  }, [shown, rows, list]);
}

export function FileTree(props: FileTreeProps) {
  const { explorer, activePath, onOpen, onMenu } = props;
  const { tree, draft, selected, cut } = useStore(explorer.store);
  const rows = useMemo(() => rowsOf(tree, draft), [tree, draft]);
  const selectedIndex = indexOf(rows, selected);
  const list = useRows(rows, selectedIndex);
  useShown(explorer, rows, list);
  useDraftOnScreen(rows, draft !== null, list);
  const drop = useDropTarget(explorer);
  const onKeyDown = useTreeKeys(props, rows, () => (list.box.current?.clientHeight ?? 440) / list.rowHeight);
  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    onMenu({ path: null, x: event.clientX, y: event.clientY });
  };
  return (
    <div
      ref={list.box}
      role="tree"
      aria-label="Files"
      className="explorer-tree"
      tabIndex={selectedIndex < 0 ? 0 : -1}
      data-drop={drop.folder === '' || undefined}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      onDragOver={(event: DragEvent) => drop.over(event, '')}
      onDragLeave={drop.leave}
      onDrop={(event: DragEvent) => drop.drop(event, '')}
    >
      <div className="explorer-sizer" role="presentation" style={{ height: list.virtual.getTotalSize() }}>
        {list.virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <div
                key={item.key}
                role="presentation"
                className="explorer-slot"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Row
                  {...{ row, explorer, drop, onOpen, onMenu }}
                  renaming={draft?.kind === 'rename' && row.kind === 'entry' && row.entry.path === draft.path}
                  selected={item.index === selectedIndex}
                  active={row.kind === 'entry' && row.entry.path === activePath}
                  cut={row.kind === 'entry' && row.entry.path === cut}
                />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function useDraftOnScreen(
  rows: readonly TreeRow[],
  drafting: boolean,
  list: ReturnType<typeof useRows>,
): void {
  const index = drafting ? rows.findIndex((row) => row.kind === 'draft') : -1;
  const { virtual } = list;
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  }, [index, virtual]);
}

interface RowProps {
  row: TreeRow;
  explorer: Explorer;
  drop: ReturnType<typeof useDropTarget>;
  onOpen: FileTreeProps['onOpen'];
  onMenu: FileTreeProps['onMenu'];
  renaming: boolean;
  selected: boolean;
  active: boolean;
  cut: boolean;
}

function Row({ row, explorer, renaming, ...rest }: RowProps) {
  if (row.kind === 'draft') {
    return (
      <DraftRow
        depth={row.depth}
        what={row.what}
        folder={row.folder}
        explorer={explorer}
        onDone={(name) => explorer.create(row.folder, name, row.what)}
      />
    );
  }
  if (row.kind !== 'entry') return <NoteRow row={row} explorer={explorer} />;
  if (renaming) return <DraftRow depth={row.depth} renamed={row.entry} explorer={explorer} />;
  return <EntryRowView row={row} explorer={explorer} {...rest} />;
}
