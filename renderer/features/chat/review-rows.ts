import type { ReviewFile } from '../../../shared/model/change';
import { reviewBlocks, type ReviewBlock } from '../../lib/review/review-blocks';
import { stopKey, type ReviewState } from '../../lib/review/review-state';

/** More than this is for the review page. */
export const MOST_FILES = 20;
export const MOST_HUNKS = 20;

export type ReviewRow =
  | ReviewBlock
  /** Stands for hunks of a file that are not listed. */
  | { readonly kind: 'more'; readonly key: string; readonly file: ReviewFile; readonly count: number };

export interface ReviewRows {
  readonly rows: readonly ReviewRow[];
  /** Files that are not listed. */
  readonly moreFiles: number;
}

/** Each hunk is one row, however long it is. */
function rowsOf(block: ReviewBlock): ReviewRow[] {
  if (block.kind !== 'hunk') return [block];
  const { stop, number, count, file } = block;
  if (stop === null || number > MOST_HUNKS + 1) return [];
  if (number <= MOST_HUNKS) return [block];
  return [{ kind: 'more', key: `m\0${file.path}`, file, count: count - MOST_HUNKS }];
}

/** The list over the message box: the first files, and the first hunks of those that are open. */
export function reviewRows(state: ReviewState, open: ReadonlySet<string>): ReviewRows {
  const files = state.files.filter(({ path }) => !state.decided.has(stopKey(path, null)));
  const listed = files.slice(0, MOST_FILES);
  const folded = new Set(listed.map(({ path }) => path).filter((path) => !open.has(path)));
  const rows = reviewBlocks({ ...state, files: listed }, folded).flatMap(rowsOf);
  return { rows, moreFiles: files.length - listed.length };
}

/** What a row is decided by: a hunk or whole file by its stop, a folded file by its row. */
const placeOf = (row: ReviewRow): string | null => {
  if (row.kind === 'more' || (row.kind === 'file' && !row.folded)) return null;
  return row.kind === 'file' ? stopKey(row.file.path, null) : row.stop;
};

/** The row that has the focus after a decision at a row: the next change, else the one before; null when none is left. */
export function rowAfter(rows: readonly ReviewRow[], at: string, gone: ReadonlySet<string>): string | null {
  const from = Math.max(
    0,
    rows.findIndex(({ key }) => key === at),
  );
  const stays = (row: ReviewRow): boolean => {
    const place = placeOf(row);
    return place !== null && !gone.has(place);
  };
  return (rows.slice(from).find(stays) ?? rows.slice(0, from).findLast(stays))?.key ?? null;
}
