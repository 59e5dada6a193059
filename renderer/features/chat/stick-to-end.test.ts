import { expect, test } from 'vitest';
import { followsAfter, type ScrollPlace } from './stick-to-end';

const place = (top: number, contentHeight = 2000): ScrollPlace => ({ top, contentHeight, viewHeight: 500 });

test('scrolling up by hand stops following, coming back to the end starts it again', () => {
  expect(followsAfter(true, place(1500), place(1300))).toBe(false);
  expect(followsAfter(false, place(1300), place(1490))).toBe(true);
});

test('content that grows below does not stop following', () => {
  expect(followsAfter(true, place(1500), place(1500, 2400))).toBe(true);
});

test('going down without reaching the end does not start following', () => {
  expect(followsAfter(false, place(200), place(900))).toBe(false);
});

test('a place that moves up because content above folded keeps following', () => {
  expect(followsAfter(true, place(1500), place(1100, 1700))).toBe(true);
});
