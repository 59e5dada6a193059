import { expect, test } from 'vitest';
import type { Command } from '../command-registry';
import { commandRows, fileRows, parseFileQuery, withRecent } from './palette-rows';

const command = (id: string, title: string, more: Partial<Command> = {}): Command => ({
  id,
  title,
  run: () => undefined,
  ...more,
});
const commands = [
  command('view.chat', 'View: Toggle chat'),
  command('view.side', 'View: Toggle side bar', { keys: ['Mod+B'] }),
  command('view.palette', 'Show all commands', { hidden: true }),
];

test('recently used commands come first, each once, hidden ones never', () => {
  const rows = commandRows('', commands, ['view.side', 'gone']);
  expect(rows.map((row) => [row.group, row.key])).toEqual([
    ['Recently used', 'view.side'],
    ['Commands', 'view.chat'],
  ]);
  expect(rows[0]?.keys).toBe('Mod+B');
});

test('a query keeps what matches', () => {
  expect(commandRows('side', commands, []).map((row) => row.key)).toEqual(['view.side']);
});

test('line and column follow the path after colons', () => {
  expect(parseFileQuery('src/a.ts:12:3')).toEqual({ text: 'src/a.ts', line: 12, column: 3 });
  expect(parseFileQuery('a.ts:0')).toEqual({ text: 'a.ts', line: 1 });
  expect(parseFileQuery(':7')).toEqual({ text: '', line: 7 });
  expect(parseFileQuery('a.ts:')).toEqual({ text: 'a.ts' });
});

test('files keep the order of the host and show name before folder', () => {
  expect(fileRows('del', ['src/deliver.ts', 'model.ts'], [])).toMatchObject([
    { label: 'deliver.ts', detail: 'src', ranges: [[0, 3]] },
    { label: 'model.ts', detail: '' },
  ]);
});

test('recent files stand first while nothing is typed', () => {
  expect(fileRows('', ['a.ts', 'b.ts'], ['b.ts']).map((row) => [row.group, row.key])).toEqual([
    ['Recently opened', 'b.ts'],
    ['Files', 'a.ts'],
  ]);
  expect(withRecent(['a', 'b', 'c'], 'c', 2)).toEqual(['c', 'a']);
});
