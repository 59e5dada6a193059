import { expect, test } from 'vitest';
import type { KeyPress } from '../lib/keys';
import { createCommandRegistry } from './command-registry';
import { commandFor } from './keymap';

const press = (key: string, held: Partial<KeyPress>): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  ...held,
});

const nothing = (): void => undefined;
const quickOpen = { id: 'view.quickOpen', title: 'Go to file', keys: ['Mod+P'], run: nothing };
const palette = { id: 'view.palette', title: 'Commands', keys: ['Mod+Shift+P', 'F1'], run: nothing };
const commands = [quickOpen, palette];

test('each shortcut of a command starts it', () => {
  const page = { terminal: false };
  expect(commandFor(press('p', { ctrlKey: true }), commands, 'other', page)).toBe(quickOpen);
  expect(commandFor(press('P', { ctrlKey: true, shiftKey: true }), commands, 'other', page)).toBe(palette);
  expect(commandFor({ ...press('F1', {}), code: 'F1' }, commands, 'other', page)).toBe(palette);
});

test('Ctrl with one letter belongs to the shell while the terminal has the focus', () => {
  const terminal = { terminal: true };
  expect(commandFor(press('p', { ctrlKey: true }), commands, 'other', terminal)).toBeUndefined();
  expect(commandFor(press('P', { ctrlKey: true, shiftKey: true }), commands, 'other', terminal)).toBe(
    palette,
  );
  expect(commandFor(press('p', { metaKey: true }), commands, 'mac', terminal)).toBe(quickOpen);
});

test('a command that makes no sense now is neither listed nor run, and a failing one reports its title', async () => {
  const failures: string[] = [];
  const registry = createCommandRegistry((_, title) => failures.push(title));
  const ran: unknown[] = [];
  let possible = false;
  const remove = registry.register([
    { id: 'a.b', title: 'A: B', when: () => possible, run: (argument) => void ran.push(argument) },
    { id: 'a.c', title: 'A: C', run: () => Promise.reject(new Error('no')) },
  ]);
  expect(registry.run('a.b', 1)).toBe(false);
  possible = true;
  expect(registry.run('a.b', 2)).toBe(true);
  expect(registry.run('a.c')).toBe(true);
  await expect.poll(() => failures).toEqual(['A: C failed']);
  expect(ran).toEqual([2]);
  remove();
  expect(registry.available()).toEqual([]);
});
