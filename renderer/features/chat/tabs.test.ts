import { expect, test } from 'vitest';
import { closeTab, pruneTabs, showTab } from './tabs';

const tabs = { open: ['a', 'b', 'c'], active: 'b' };

test('a session opens at the end once', () => {
  expect(showTab(tabs, 'd')).toEqual({ open: ['a', 'b', 'c', 'd'], active: 'd' });
  expect(showTab(tabs, 'a')).toEqual({ ...tabs, active: 'a' });
  expect(showTab(tabs, 'b')).toBe(tabs);
});

test('closing the tab on screen shows its neighbour', () => {
  expect(closeTab(tabs, 'b')).toEqual({ open: ['a', 'c'], active: 'c' });
  expect(closeTab({ ...tabs, active: 'c' }, 'c')).toEqual({ open: ['a', 'b'], active: 'b' });
  expect(closeTab({ open: ['a'], active: 'a' }, 'a')).toEqual({ open: [], active: null });
});

test('tabs of removed sessions go; the newest session shows when none is left', () => {
  expect(pruneTabs(tabs, ['c', 'a'])).toEqual({ open: ['a', 'c'], active: 'c' });
  expect(pruneTabs(tabs, ['z'])).toEqual({ open: ['z'], active: 'z' });
  expect(pruneTabs(tabs, [])).toEqual({ open: [], active: null });
});
