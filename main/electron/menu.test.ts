import type { MenuItemConstructorOptions as Item } from 'electron';
import { expect, test, vi } from 'vitest';
import { menuTemplate } from './menu';

vi.mock('electron', () => import('./testing/fake-electron'));

const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);

const menu = (
  platform: NodeJS.Platform,
  devTools = true,
  run = (_command: string): void => undefined,
): Item[] => flat(menuTemplate({ platform, devTools, run }));

test('macOS gets its app menu and the Edit menu that copy and paste need; every system can quit', () => {
  const roles = (platform: NodeJS.Platform) => menu(platform).map(({ role }) => role);
  expect(menuTemplate({ platform: 'darwin', devTools: false, run: () => undefined })[0]?.label).toBe('Lathe');
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    expect(roles(platform)).toEqual(
      expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'quit']),
    );
  }
});

test('items run the window’s commands and leave their shortcuts to the window', () => {
  const ran: string[] = [];
  const items = menu('linux', true, (command) => ran.push(command));
  for (const item of items) if (item.click) (item.click as () => void)();
  const taken = items.filter(({ click, accelerator }) => click && accelerator);
  expect(taken).not.toEqual([]);
  expect(taken.filter(({ registerAccelerator }) => registerAccelerator !== false)).toEqual([]);
  expect(ran).toContain('project.openFolder');
  expect(new Set(ran).size).toBe(ran.length);
});

test('sec-H11: developer tools are in the menu of a checkout only', () => {
  const has = (devTools: boolean) => menu('linux', devTools).some(({ role }) => role === 'toggleDevTools');
  expect([has(true), has(false)]).toEqual([true, false]);
});
