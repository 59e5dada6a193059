import { expect, test } from 'vitest';
import {
  activate,
  closeTabs,
  moveTab,
  neighbour,
  NO_TABS,
  openDiffTab,
  openTab,
  pin,
  renameTabs,
  tabHints,
  type TabList,
} from './tabs';

const open = (...paths: string[]): TabList =>
  paths.reduce((list, path) => openTab(list, path, false), NO_TABS);
const names = (list: TabList): string[] => list.tabs.map((tab) => tab.id);

test('a preview takes the place of the preview before it', () => {
  const list = openTab(openTab(open('a'), 'b', true), 'c', true);
  expect(names(list)).toEqual(['a', 'c']);
  expect(list.active).toBe('c');
});

test('a lasting tab is not made a preview again, a preview opened for good lasts', () => {
  expect(openTab(open('a'), 'a', true).tabs).toMatchObject([{ preview: false }]);
  expect(openTab(openTab(NO_TABS, 'a', true), 'a', false).tabs).toMatchObject([{ preview: false }]);
  expect(pin(openTab(NO_TABS, 'a', true), 'a').tabs).toMatchObject([{ preview: false }]);
});

test('new tabs stand behind the active one', () => {
  expect(names(openTab(activate(open('a', 'b', 'c'), 'a'), 'd', false))).toEqual(['a', 'd', 'b', 'c']);
});

test('when the active tab closes, the one used last comes forward', () => {
  const list = activate(activate(open('a', 'b', 'c'), 'a'), 'c');
  expect(closeTabs(list, new Set(['c'])).active).toBe('a');
  expect(closeTabs(list, new Set(['a', 'b', 'c']))).toEqual(NO_TABS);
  expect(closeTabs(list, new Set(['b'])).active).toBe('c');
});

test('tabs move before others or to the end, and go round', () => {
  const list = open('a', 'b', 'c');
  expect(names(moveTab(list, 'c', 'a'))).toEqual(['c', 'a', 'b']);
  expect(names(moveTab(list, 'a', null))).toEqual(['b', 'c', 'a']);
  expect(moveTab(list, 'nothing', 'a')).toBe(list);
  expect([neighbour(list, 1), neighbour(list, -1), neighbour(NO_TABS, 1)]).toEqual(['a', 'b', null]);
});

test('case-D12: tabs follow a moved folder and never show one file twice', () => {
  const list = renameTabs(open('src/a.ts', 'src/b.ts', 'lib/a.ts'), 'src', 'lib');
  expect(names(list)).toEqual(['lib/a.ts', 'lib/b.ts']);
  expect(list.active).toBe('lib/a.ts');
  expect(new Set(list.recent).size).toBe(list.recent.length);
});

test('the same diff opens once and shows the newest texts', () => {
  const diff = {
    kind: 'diff' as const,
    id: 'd',
    title: 'a',
    path: 'a',
    original: '1',
    modified: '2',
    sides: ['x', 'y'] as const,
    conflict: false,
    live: false,
  };
  const list = openDiffTab(openDiffTab(open('a'), diff), { ...diff, modified: '3' });
  expect(list.tabs).toHaveLength(2);
  expect(list.tabs[1]).toMatchObject({ modified: '3' });
});

test('tabs of the same name say which folder they are from, in as few words as it takes', () => {
  const hints = tabHints(open('src/a/index.ts', 'src/b/index.ts', 'lib/b/index.ts', 'x.ts').tabs);
  expect(Object.fromEntries(hints)).toEqual({
    'src/a/index.ts': 'a',
    'src/b/index.ts': 'src/b',
    'lib/b/index.ts': 'lib/b',
  });
});
