import { expect, test } from 'vitest';
import {
  dayGroup,
  formatAgo,
  formatClock,
  formatCount,
  formatPath,
  formatSpan,
  formatTokens,
  splitPath,
} from './format';

test('spans keep their unit and only the digits that matter', () => {
  expect([3.4, 999, 1800, 9949, 47_900, 125_000, 3_723_000].map(formatSpan)).toEqual([
    '3 ms',
    '999 ms',
    '1.8 s',
    '9.9 s',
    '47 s',
    '2:05',
    '1:02:03',
  ]);
  expect(formatClock(47_900)).toBe('0:47');
  expect(formatClock(-5)).toBe('0:00');
});

test('token counts are short and estimates say so', () => {
  expect([950, 4200, 9940, 9960, 49_120, 999_600, 1_250_000].map((n) => formatTokens(n))).toEqual([
    '950',
    '4.2k',
    '9.9k',
    '10k',
    '49k',
    '1M',
    '1.3M',
  ]);
  expect(formatTokens(49_120, true)).toBe('~49k');
});

test('counts agree with their noun', () => {
  expect([0, 1, 1234].map((count) => formatCount(count, 'file'))).toEqual([
    '0 files',
    '1 file',
    '1,234 files',
  ]);
});

test('ages shorten with distance and groups follow the calendar, not 24 hours', () => {
  const now = new Date(2026, 10, 25, 9, 30).getTime();
  const at = (day: number, hour: number): number => new Date(2026, 10, day, hour, 0).getTime();
  expect(formatAgo(now - 20_000, now)).toBe('now');
  expect(formatAgo(now - 12 * 60_000, now)).toBe('12 min');
  expect(formatAgo(at(25, 1), now)).toBe('8 h');
  expect(formatAgo(at(24, 23), now)).toBe('Tue');
  expect(formatAgo(at(2, 8), now)).toBe('2 Nov');
  expect(formatAgo(new Date(2024, 2, 14).getTime(), now)).toBe('14 Mar 2024');
  expect([at(25, 1), at(24, 23), at(19, 8), at(2, 8)].map((time) => dayGroup(time, now))).toEqual([
    'Today',
    'Yesterday',
    'Last week',
    'Older',
  ]);
});

test('only the home folder itself becomes a tilde', () => {
  expect(formatPath('/home/ann/code', '/home/ann')).toBe('~/code');
  expect(formatPath('/home/anna/code', '/home/ann')).toBe('/home/anna/code');
  expect(formatPath('/home/ann', '/home/ann')).toBe('~');
  expect(splitPath('src/a/b.ts')).toEqual({ folder: 'src/a/', name: 'b.ts' });
  expect(splitPath('b.ts')).toEqual({ folder: '', name: 'b.ts' });
});
