import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGit, findProgram } from './git';
import { gitFailure } from './git-failure';
import { gitStateAt } from './git-state';

const signal = new AbortController().signal;

async function setUp(): Promise<{ base: string; root: string; git: (...args: string[]) => string }> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'git-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = path.join(base, 'proj');
  await mkdir(root);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
      cwd: root,
      stdio: 'pipe',
    }).toString();
  git('init', '-q', '-b', 'main');
  return { base, root, git };
}

test('sec-A22: a repository whose config names programs runs none of them', async () => {
  const { base, root, git } = await setUp();
  const canary = path.join(base, 'canary');
  await mkdir(canary);
  await writeFile(path.join(root, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  await writeFile(path.join(root, 'a.txt'), 'two\n');
  const evil = path.join(base, 'evil.sh');
  await writeFile(evil, `#!/bin/sh\ntouch "${canary}/$$"\n`);
  await chmod(evil, 0o755);
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.sshCommand',
    'diff.external',
    'gpg.program',
  ]) {
    git('config', key, evil);
  }
  git('config', 'diff.x.textconv', evil);
  git('config', 'diff.x.command', evil);
  git('config', 'log.showSignature', 'true');
  git('config', 'core.hooksPath', base);
  git('config', 'alias.status', `!${evil}`);
  await writeFile(path.join(root, '.gitattributes'), '*.txt diff=x\n');
  const runner = createGit(root);
  for (const args of [
    ['status', '-z'],
    ['log', '-p', '--no-ext-diff', '--no-textconv'],
    ['diff', '--no-ext-diff', '--no-textconv'],
  ]) {
    expect((await runner.run(args, { signal })).exitCode, args[0]).toBe(0);
  }
  expect(await readdir(canary)).toEqual([]);
});

test('sec-A20: a program in the project is never taken for the real one', async () => {
  const { root } = await setUp();
  await writeFile(path.join(root, 'git'), '#!/bin/sh\n');
  await chmod(path.join(root, 'git'), 0o755);
  vi.stubEnv('PATH', `${root}${path.delimiter}.${path.delimiter}${process.env['PATH'] ?? ''}`);
  const found = findProgram('git', root);
  expect(found).not.toBeNull();
  expect(found?.startsWith(root)).toBe(false);
  vi.stubEnv('PATH', root);
  await expect(createGit(root).run(['status'], { signal })).rejects.toMatchObject({ code: 'unsupported' });
});

test('git ends on abort, at the time limit and over the size limit', async () => {
  const { root, git } = await setUp();
  await writeFile(path.join(root, 'big'), 'x'.repeat(300_000));
  git('add', '.');
  git('commit', '-qm', 'big');
  const runner = createGit(root);
  await expect(runner.run(['show', 'HEAD:big'], { signal, maxOutputBytes: 1000 })).rejects.toMatchObject({
    code: 'file_too_large',
  });
  await expect(runner.run(['status'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  });
  const waiting = ['-c', 'alias.wait=!sleep 30', 'wait'];
  await expect(runner.run(waiting, { signal, timeLimitMs: 100 })).rejects.toMatchObject({
    code: 'timed_out',
  });
  const late = ['-c', 'alias.late=!echo first; sleep 30', 'late'];
  expect(await runner.run(late, { signal, timeLimitMs: 3000, keepPartial: true })).toMatchObject({
    stdout: Buffer.from('first\n'),
    isPartial: true,
  });
  const stop = new AbortController();
  const running = runner.run(waiting, { signal: stop.signal });
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
});

test('case-T06: a missing repository and a foreign one are said in words', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plain-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const result = await createGit(folder).run(['log'], { signal });
  expect(gitFailure(result)).toMatchObject({ code: 'not_found' });
  const foreign = {
    stdout: Buffer.alloc(0),
    stderr: "fatal: detected dubious ownership in repository at '/x'",
    exitCode: 128,
  };
  expect(gitFailure(foreign).message).toContain('owned by another user');
});

const branchAt = async (folder: string): Promise<string | null> => (await gitStateAt(folder))?.branch ?? null;

test('case-T01, T03, T05: the branch is read without git: no commits, detached, worktree, subfolder', async () => {
  const { base, root, git } = await setUp();
  expect(await branchAt(root)).toBe('main');
  git('commit', '-qm', 'first', '--allow-empty');
  git('worktree', 'add', '-q', '-b', 'side/line', path.join(base, 'tree'));
  expect(await branchAt(path.join(base, 'tree'))).toBe('side/line');
  await mkdir(path.join(root, 'sub'));
  expect(await branchAt(path.join(root, 'sub'))).toBe('main');
  git('checkout', '-q', '--detach');
  const commit = git('rev-parse', 'HEAD').slice(0, 7);
  expect(await gitStateAt(root)).toMatchObject({ branch: commit, isDetached: true, doing: null });
  expect(await gitStateAt(base)).toBeNull();
});

/** Two branches that changed the same line. */
async function diverged() {
  const { base, root, git } = await setUp();
  const commit = async (text: string): Promise<void> => {
    await writeFile(path.join(root, 'a.txt'), text);
    git('add', '.');
    git('commit', '-qm', text.trim());
  };
  await commit('one\n');
  git('checkout', '-q', '-b', 'side');
  await commit('side\n');
  git('checkout', '-q', 'main');
  await commit('main\n');
  return { base, root, git };
}

test('case-T09: a merge, a rebase, a cherry-pick, a revert and a bisect in progress are named, with their branch', async () => {
  const { root, git } = await diverged();
  const stops = (...args: string[]): void => expect(() => git(...args)).toThrow();
  stops('merge', '-q', 'side');
  expect(await gitStateAt(root)).toMatchObject({ branch: 'main', isDetached: false, doing: 'merging' });
  git('merge', '--abort');
  stops('rebase', '-q', 'side');
  expect(await gitStateAt(root)).toMatchObject({ branch: 'main', isDetached: true, doing: 'rebasing' });
  git('rebase', '--abort');
  stops('rebase', '-q', '--apply', 'side');
  expect(await gitStateAt(root)).toMatchObject({ branch: 'main', doing: 'rebasing' });
  git('rebase', '--abort');
  stops('cherry-pick', 'side');
  expect(await gitStateAt(root)).toMatchObject({ branch: 'main', doing: 'cherry-picking' });
  git('cherry-pick', '--abort');
  stops('revert', '--no-edit', 'side');
  expect(await gitStateAt(root)).toMatchObject({ branch: 'main', doing: 'reverting' });
  git('revert', '--abort');
  git('bisect', 'start');
  expect(await gitStateAt(root)).toMatchObject({ branch: 'main', doing: 'bisecting' });
  git('bisect', 'reset');
  expect(await gitStateAt(root)).toMatchObject({ doing: null, isBare: false, isShallow: false });
});

test('case-T09: a bare repository and a shallow clone are named, and what can’t be done there is said in words', async () => {
  const { base, root, git } = await diverged();
  git('clone', '-q', '--bare', root, path.join(base, 'bare'));
  git('clone', '-q', '--depth', '1', `file://${root}`, path.join(base, 'shallow'));
  expect(await gitStateAt(path.join(base, 'bare'))).toMatchObject({ branch: 'main', isBare: true });
  expect(await gitStateAt(path.join(base, 'shallow'))).toMatchObject({ branch: 'main', isShallow: true });
  const status = await createGit(path.join(base, 'bare')).run(['status'], { signal });
  expect(gitFailure(status)).toMatchObject({ message: expect.stringContaining('bare repository') as string });
});

test('case-T09: a lock that a crashed git left is named, and looking goes on beside it', async () => {
  const { root } = await diverged();
  await writeFile(path.join(root, '.git/index.lock'), '');
  expect((await gitStateAt(root))?.lockedSince).toBeGreaterThan(0);
  const runner = createGit(root);
  expect((await runner.run(['status', '-z'], { signal })).exitCode).toBe(0);
  const add = await runner.run(['add', '.'], { signal });
  expect(gitFailure(add)).toMatchObject({
    code: 'busy',
    hint: expect.stringContaining('index.lock') as string,
  });
});

test('case-T09: a broken git folder has no branch, and nothing hangs on a pipe in the place of HEAD', async () => {
  const { root } = await setUp();
  await rm(path.join(root, '.git/HEAD'));
  expect(await gitStateAt(root)).toMatchObject({ branch: null, isDetached: false });
  execFileSync('mkfifo', [path.join(root, '.git/HEAD')]);
  expect(await gitStateAt(root)).toMatchObject({ branch: null });
});

test.runIf(process.getuid?.() === 0)(
  'case-T06: git’s own refusal of a foreign repository is told',
  async () => {
    const { base, root } = await setUp();
    vi.stubEnv('HOME', base);
    await chown(path.join(root, '.git'), 12_345, 12_345);
    await chown(root, 12_345, 12_345);
    const failure = gitFailure(await createGit(root).run(['log'], { signal }));
    expect(failure).toMatchObject({ message: 'The repository is owned by another user, so git refuses it.' });
    expect(await readdir(base)).toEqual(['proj']);
  },
);
