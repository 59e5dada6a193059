import { parentOf } from '../../lib/files/workspace-path';
import type { TreeRow } from './tree-model';

export type EntryRow = Extract<TreeRow, { kind: 'entry' }>;

/** What a key does in the tree; null when it means nothing to it. */
export type TreeMove = { kind: 'select'; path: string } | { kind: 'expand' | 'collapse'; path: string };

function step(rows: readonly EntryRow[], index: number, by: number): TreeMove | null {
  const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
  return next ? { kind: 'select', path: next.entry.path } : null;
}

function outward(row: EntryRow): TreeMove | null {
  if (row.expanded === true) return { kind: 'collapse', path: row.entry.path };
  const parent = parentOf(row.entry.path);
  return parent === '' ? null : { kind: 'select', path: parent };
}

function inward(rows: readonly EntryRow[], index: number): TreeMove | null {
  const row = rows[index];
  if (!row || row.expanded === null) return null;
  if (!row.expanded) return { kind: 'expand', path: row.entry.path };
  const first = rows[index + 1];
  return first && first.depth > row.depth ? { kind: 'select', path: first.entry.path } : null;
}

/**
 * Arrow keys, Home, End and the page keys as the ARIA tree pattern has them.
 *
 * @param rows the visible entries in order
 * @param pageRows how many rows the page keys move by
 */
export function treeMove(
  key: string,
  rows: readonly EntryRow[],
  selected: string | null,
  pageRows: number,
): TreeMove | null {
  const index = rows.findIndex((row) => row.entry.path === selected);
  if (key === 'Home' || (index < 0 && (key === 'ArrowDown' || key === 'ArrowUp'))) return step(rows, 0, 0);
  if (key === 'End') return step(rows, rows.length - 1, 0);
  const row = rows[index];
  if (!row) return null;
  if (key === 'ArrowDown') return step(rows, index, 1);
  if (key === 'ArrowUp') return step(rows, index, -1);
  if (key === 'PageDown') return step(rows, index, pageRows);
  if (key === 'PageUp') return step(rows, index, -pageRows);
  if (key === 'ArrowLeft') return outward(row);
  if (key === 'ArrowRight') return inward(rows, index);
  return null;
}

/**
 * The entry that typed letters lead to: the next one from the selection on that begins with `typed`. The same letter
 * typed again goes on to the next one.
 */
export function typeAhead(rows: readonly EntryRow[], selected: string | null, typed: string): string | null {
  const repeated = typed.length > 1 && [...typed].every((letter) => letter === typed[0]);
  const wanted = (repeated ? typed.slice(0, 1) : typed).toLowerCase();
  const from = rows.findIndex((row) => row.entry.path === selected);
  const start = repeated || typed.length === 1 ? from + 1 : Math.max(0, from);
  for (let offset = 0; offset < rows.length; offset += 1) {
    const row = rows[(start + offset) % rows.length];
    if (row?.entry.name.toLowerCase().startsWith(wanted)) return row.entry.path;
  }
  return null;
}
