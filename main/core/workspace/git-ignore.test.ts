import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitIgnore } from './git-ignore';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-ignore-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** What git itself says. */
function gitSays(paths: string[]): string[] {
  try {
    const out = execFileSync('git', ['check-ignore', '--no-index', ...paths], {
      cwd: root,
      encoding: 'utf8',
    });
    return out.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

test('case-G06: nested rules give the same answers as git', async () => {
  execFileSync('git', ['init'], { cwd: root, stdio: 'ignore' });
  write('.gitignore', '*.log\n/build/\nnode_modules\nsecret*\n!secret-ok\n');
  write('sub/.gitignore', '!keep.log\n/local\n');
  write('build/.gitignore', '!*\n');
  write('.git/info/exclude', 'mine.txt\n');
  const paths = [
    'a.log',
    'sub/keep.log',
    'sub/other.log',
    'sub/local',
    'sub/deep/local',
    'build/x.js',
    'sub/build/x.js',
    'node_modules/a/index.js',
    'sub/node_modules/b.js',
    'secret.txt',
    'secret-ok',
    'mine.txt',
    'src/a.ts',
    'Sub/A.LOG',
  ];
  for (const path of paths) write(path);
  const ignored = gitSays(paths);
  const rules = createGitIgnore(root);
  const mine: string[] = [];
  for (const path of paths) if (await rules.isIgnored(path, false)) mine.push(path);
  expect(mine).toEqual(ignored);
  expect(mine).toContain('a.log');
  expect(mine).not.toContain('sub/keep.log');
  expect(await rules.isIgnored('build', true)).toBe(true);
  expect(await rules.isIgnored('build', false)).toBe(false);
});

test('rules above the opened folder count, up to the top of the repository', async () => {
  execFileSync('git', ['init'], { cwd: root, stdio: 'ignore' });
  write('.gitignore', '*.tmp\npackages/web/dist\n');
  write('packages/web/a.tmp');
  const rules = createGitIgnore(join(root, 'packages', 'web'));
  expect(await rules.isIgnored('a.tmp', false)).toBe(true);
  expect(await rules.isIgnored('dist', true)).toBe(true);
  expect(await rules.isIgnored('src', true)).toBe(false);
});

test('changed rules count after invalidating', async () => {
  write('.gitignore', 'a\n');
  const rules = createGitIgnore(root);
  expect(await rules.isIgnored('b', false)).toBe(false);
  write('.gitignore', 'b\n');
  rules.invalidate();
  expect(await rules.isIgnored('b', false)).toBe(true);
});
