/** Rows from `from` to `to`, both inclusive. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** Rows that are kept ready on either side of what is in view. */
export const ROWS_AHEAD = 4;

const touches = (left: RowSpan, right: RowSpan): boolean =>
  left.from <= right.to + 1 && right.from <= left.to + 1;

/** What is drawn for a view: it, and what was ready around it already. Nothing leaves while one scrolls, only after a jump. */
export function drawnRows(warm: RowSpan, view: RowSpan): RowSpan {
  if (!touches(warm, view)) return view;
  return { from: Math.min(warm.from, view.from), to: Math.max(warm.to, view.to) };
}

/** One row more than is ready, below first, without what is too far off by now; the same span when all is ready. */
export function warmedBy(warm: RowSpan, view: RowSpan, count: number): RowSpan {
  const least = Math.max(0, view.from - ROWS_AHEAD);
  const most = Math.min(count - 1, view.to + ROWS_AHEAD);
  const drawn = drawnRows(warm, view);
  const from = Math.max(drawn.from, least);
  const to = Math.min(drawn.to, most);
  if (to < most) return { from, to: to + 1 };
  if (from > least) return { from: from - 1, to };
  return from === warm.from && to === warm.to ? warm : { from, to };
}
