import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { currentBranch } from './current-branch';
import { createGit, findProgram } from './git';
import { gitFailure } from './git-failure';

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

test('case-T01, T03, T05: the branch is read without git: no commits, detached, worktree, subfolder', async () => {
  const { base, root, git } = await setUp();
  expect(await currentBranch(root)).toBe('main');
  git('commit', '-qm', 'first', '--allow-empty');
  git('worktree', 'add', '-q', '-b', 'side/line', path.join(base, 'tree'));
  expect(await currentBranch(path.join(base, 'tree'))).toBe('side/line');
  await mkdir(path.join(root, 'sub'));
  expect(await currentBranch(path.join(root, 'sub'))).toBe('main');
  git('checkout', '-q', '--detach');
  expect(await currentBranch(root)).toBe(git('rev-parse', 'HEAD').slice(0, 7));
  expect(await currentBranch(base)).toBeNull();
});
