import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderFromArgs, folderOfWish } from './second-instance';

const folder = mkdtempSync(path.join(tmpdir(), 'lathe-args-'));
const file = path.join(folder, 'file.txt');
writeFileSync(file, '');

test('sec-H03: one existing folder counts; switches, links, files and second folders do not', () => {
  expect(folderFromArgs(['--inspect', folder, '--no-sandbox'], '/')).toBe(folder);
  expect(folderFromArgs([path.basename(folder)], path.dirname(folder))).toBe(folder);
  for (const args of [
    [],
    [file],
    ['/nowhere/at/all'],
    [folder, folder],
    ['lathe://open?path=/etc'],
    ['\0'],
  ]) {
    expect(folderFromArgs(args, '/'), args.join(' ')).toBeNull();
  }
});

test('sec-H03: what another process sends is checked again', () => {
  expect(folderOfWish({ folder, setting: 'x' })).toBe(folder);
  for (const wish of [null, 'x', {}, { folder: 7 }, { folder: 'tmp' }, { folder: file }, { folder: null }]) {
    expect(folderOfWish(wish)).toBeNull();
  }
});
