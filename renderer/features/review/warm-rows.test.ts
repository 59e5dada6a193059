import { expect, test } from 'vitest';
import { drawnRows, ROWS_AHEAD, warmedBy, type RowSpan } from './warm-rows';

const COUNT = 100;

/** Warms a view until nothing is left to do; the spans on the way. */
function warmAll(from: RowSpan, view: RowSpan): RowSpan[] {
  const spans = [from];
  for (;;) {
    const last = spans.at(-1) as RowSpan;
    const next = warmedBy(last, view, COUNT);
    if (next === last) return spans;
    spans.push(next);
  }
}

const length = ({ from, to }: RowSpan): number => to - from + 1;

test('rows around the view become ready one at a time, those below first', () => {
  const view = { from: 40, to: 44 };
  const spans = warmAll({ from: 0, to: -1 }, view);
  expect(spans[1]).toEqual({ from: 40, to: 45 });
  expect(spans.at(-1)).toEqual({ from: 40 - ROWS_AHEAD, to: 44 + ROWS_AHEAD });
  for (const [at, span] of spans.entries())
    if (at > 1) expect(length(span) - length(spans[at - 1] as RowSpan)).toBe(1);
});

test('no row is asked for beyond the ends', () => {
  expect(warmAll({ from: 0, to: 3 }, { from: 0, to: 3 }).at(-1)).toEqual({ from: 0, to: 3 + ROWS_AHEAD });
  const last = { from: 97, to: 99 };
  expect(warmAll(last, last).at(-1)).toEqual({ from: 97 - ROWS_AHEAD, to: 99 });
});

test('while one scrolls nothing is taken away; after a jump only the view is drawn', () => {
  const warm = { from: 36, to: 48 };
  expect(drawnRows(warm, { from: 42, to: 46 })).toEqual(warm);
  expect(drawnRows(warm, { from: 46, to: 50 })).toEqual({ from: 36, to: 50 });
  expect(drawnRows(warm, { from: 80, to: 84 })).toEqual({ from: 80, to: 84 });
});
