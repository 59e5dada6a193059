import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { createProjectCatalog, type ProjectCatalog } from './project-catalog';

let dir: string;
let store: Store;
let catalog: ProjectCatalog;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-catalog-')));
  store = openStore({ dataDir: join(dir, 'home') });
  mkdirSync(join(dir, 'tour-source', 'src'), { recursive: true });
  writeFileSync(join(dir, 'tour-source', 'src', 'a.js'), 'shipped', { mode: 0o444 });
  catalog = createProjectCatalog({
    store: store.projects,
    dataDir: join(dir, 'home'),
    tourSource: join(dir, 'tour-source'),
  });
  mkdirSync(join(dir, 'one'));
});
afterEach(() => {
  catalog.dispose();
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const git = (...args: string[]): void => {
  execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=n', ...args], {
    cwd: join(dir, 'one'),
    stdio: 'ignore',
  });
};

test('a folder is opened by its real path, and recent ones come back newest first', async () => {
  symlinkSync(join(dir, 'one'), join(dir, 'link'));
  mkdirSync(join(dir, 'two'));
  const first = await catalog.open(join(dir, 'link'));
  expect(first).toMatchObject({
    path: join(dir, 'one'),
    name: 'one',
    exists: true,
    isTour: false,
    branch: null,
  });
  await catalog.open(join(dir, 'two'));
  expect((await catalog.recent()).map((project) => project.name)).toEqual(['two', 'one']);
  expect((await catalog.open(join(dir, 'one'))).id).toBe(first.id);
  rmSync(join(dir, 'two'), { recursive: true });
  expect((await catalog.recent()).map((project) => project.exists)).toEqual([true, false]);
  catalog.forget(first.id);
  expect((await catalog.recent()).map((project) => project.name)).toEqual(['two']);
});

test('a missing folder, a file and a relative path each say what to do, and the open project stays', async () => {
  const open = await catalog.open(join(dir, 'one'));
  writeFileSync(join(dir, 'file.txt'), '');
  const hint = expect.any(String) as string;
  await expect(catalog.open(join(dir, 'gone'))).rejects.toMatchObject({ code: 'folder_missing', hint });
  await expect(catalog.open(join(dir, 'file.txt'))).rejects.toMatchObject({ code: 'bad_argument', hint });
  await expect(catalog.open('one')).rejects.toMatchObject({ code: 'bad_argument', hint });
  expect(catalog.current()).toEqual(open);
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that may not be read says so',
  async () => {
    chmodSync(join(dir, 'one'), 0o000);
    await expect(catalog.open(join(dir, 'one'))).rejects.toMatchObject({ code: 'folder_unreadable' });
  },
);

test('case-H04: a renamed folder is the same project', async () => {
  const before = await catalog.open(join(dir, 'one'));
  renameSync(join(dir, 'one'), join(dir, 'renamed'));
  const after = await catalog.open(join(dir, 'renamed'));
  expect(after).toMatchObject({ id: before.id, name: 'renamed' });
});

test('listeners hear of open, branch change, removal of the folder, its return, and close', async () => {
  git('init', '-b', 'main');
  const seen: unknown[] = [];
  catalog.onChange((info) => seen.push(info === null ? null : [info.branch, info.exists]));
  await catalog.open(join(dir, 'one'));
  git('symbolic-ref', 'HEAD', 'refs/heads/feature/x');
  await expect.poll(() => catalog.current()?.branch).toBe('feature/x');
  renameSync(join(dir, 'one'), join(dir, 'away'));
  await expect.poll(() => catalog.current()?.exists).toBe(false);
  renameSync(join(dir, 'away'), join(dir, 'one'));
  await expect.poll(() => catalog.current()?.exists).toBe(true);
  catalog.close();
  expect(seen).toEqual([['main', true], ['feature/x', true], [null, false], ['feature/x', true], null]);
});

test('a detached commit and a worktree show where they are', async () => {
  git('init', '-b', 'main');
  git('commit', '--allow-empty', '-m', 'x');
  git('worktree', 'add', '-b', 'side', join(dir, 'tree'));
  expect((await catalog.open(join(dir, 'tree'))).branch).toBe('side');
  git('checkout', '--detach');
  expect((await catalog.open(join(dir, 'one'))).branch).toMatch(/^[0-9a-f]{7}$/);
});

test('the tour is a writable copy whose shipped files are put back on each start', async () => {
  const tour = await catalog.openTour();
  expect(tour).toMatchObject({ isTour: true, path: join(dir, 'home', 'tour') });
  writeFileSync(join(tour.path, 'src', 'a.js'), 'edited');
  writeFileSync(join(tour.path, 'mine.txt'), 'mine');
  expect((await catalog.open(tour.path)).isTour).toBe(true);
  expect(readFileSync(join(tour.path, 'src', 'a.js'), 'utf8')).toBe('edited');
  await catalog.openTour();
  expect(readFileSync(join(tour.path, 'src', 'a.js'), 'utf8')).toBe('shipped');
  expect(readFileSync(join(tour.path, 'mine.txt'), 'utf8')).toBe('mine');
});

test('browsing lists folders only, hidden ones last', async () => {
  for (const name of ['b10', 'b2', '.hidden', 'A']) mkdirSync(join(dir, 'one', name));
  writeFileSync(join(dir, 'one', 'file'), '');
  symlinkSync(join(dir, 'one', 'A'), join(dir, 'one', 'c-link'));
  expect(await catalog.browse(join(dir, 'one'))).toEqual({
    path: join(dir, 'one'),
    parent: dir,
    folders: ['A', 'b2', 'b10', 'c-link', '.hidden'],
  });
  expect((await catalog.browse('/')).parent).toBeNull();
});
