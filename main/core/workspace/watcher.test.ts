import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLogger } from '../log/logger';
import { openWorkspaceFiles } from './workspace-files';
import { isNoise, squeeze } from './watch-filter';
import { watchWorkspace, type WorkspaceWatcher } from './watcher';

let root: string;
let watcher: WorkspaceWatcher;
let seen: string[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-watch-')));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.ts'), 'one');
  seen = [];
});
afterEach(async () => {
  await watcher.close();
  rmSync(root, { recursive: true, force: true });
});

async function start(native: boolean): Promise<void> {
  watcher = await watchWorkspace({ root, logger: silentLogger, native });
  watcher.onChange((batch) => seen.push(...batch.paths.map(({ path, change }) => `${change} ${path}`)));
}
const until = (text: string | RegExp): Promise<void> => expect.poll(() => seen.join('\n')).toMatch(text);

describe.each([true, false])('native: %s', (native) => {
  test('creating, changing and removing files and folders is reported', async () => {
    await start(native);
    expect(watcher.native).toBe(native);
    writeFileSync(join(root, 'src', 'a.ts'), 'two');
    await until(/changed src\/a\.ts/);
    writeFileSync(join(root, 'new.txt'), '');
    await until(/created new\.txt/);
    mkdirSync(join(root, 'dir'));
    await until(/created dir/);
    renameSync(join(root, 'new.txt'), join(root, 'dir', 'moved.txt'));
    await until(/removed new\.txt/);
    await until(/created dir\/moved\.txt/);
    rmSync(join(root, 'src'), { recursive: true });
    await until(/removed src$/m);
  });

  test('an atomic write is one change of its file, without the temp file', async () => {
    const files = await openWorkspaceFiles(root);
    await start(native);
    await files.writeBytes('src/a.ts', Buffer.from('three'));
    await until(/(changed|created) src\/a\.ts/);
    expect(seen.join('\n')).not.toContain('.lathe-write-');
  });

  test('case-H10: after a restart the folder that stands in the place of the old one is watched', async () => {
    await start(native);
    const lost = vi.fn();
    watcher.onChange(({ overflow }) => {
      if (overflow) lost();
    });
    rmSync(root, { recursive: true });
    mkdirSync(root);
    await watcher.restart();
    expect(lost).toHaveBeenCalled();
    writeFileSync(join(root, 'anew.txt'), '');
    await until(/created anew\.txt/);
  });

  test('nothing is reported after closing', async () => {
    await start(native);
    await watcher.close();
    writeFileSync(join(root, 'late.txt'), '');
    const second = await watchWorkspace({ root, logger: silentLogger, native });
    const later = vi.fn();
    second.onChange(later);
    writeFileSync(join(root, 'later.txt'), '');
    await expect.poll(() => later).toHaveBeenCalled();
    await second.close();
    expect(seen).toEqual([]);
  });
});

test('of git only branch, index and refs are news', async () => {
  execFileSync('git', ['init', '-b', 'main'], { cwd: root, stdio: 'ignore' });
  await start(true);
  execFileSync('git', ['add', '.'], { cwd: root });
  await until(/\.git\/index/);
  expect(seen.filter((line) => line.includes('objects') || line.includes('.lock'))).toEqual([]);
});

test('a flood inside node_modules becomes one change of the folder, any other flood an overflow', () => {
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: `${folder}/f${i}`, change: 'created' as const }));
  expect(squeeze([...many('web/node_modules/x', 100), ...many('src', 2)], false)).toEqual({
    overflow: false,
    paths: [...many('src', 2), { path: 'web/node_modules', change: 'changed' }],
  });
  expect(squeeze(many('node_modules/x', 3), false).paths).toHaveLength(3);
  expect(squeeze(many('src', 6000), false)).toEqual({ paths: [], overflow: true });
});

test('names that only look like git folders are not noise', () => {
  expect(isNoise('.github/HEAD', '.t-')).toBe(false);
  expect(isNoise('my.git/config', '.t-')).toBe(false);
  expect(isNoise('sub/.git/config', '.t-')).toBe(true);
  expect(isNoise('sub/.git/refs/heads/main', '.t-')).toBe(false);
  expect(isNoise('a/.t-1', '.t-')).toBe(true);
});
