import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProcessLedger } from '../../process/ledger';
import { planConfinement } from '../../sandbox/confine';
import { gatherTurnFacts } from '../../turn/prompt/turn-facts';
import { startBench, type Bench } from '../testing/tool-bench';
import { createRunCommand } from './run-command';

const PERSON = ['-c', 'user.name=Ann', '-c', 'user.email=a@x', '-c', 'protocol.file.allow=always'];

function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', [...PERSON, ...args], { cwd: folder, stdio: 'pipe' }).toString();
}

/** A bench with a repository, and commands that run in it. */
async function start(files: Record<string, string> = { 'a.txt': 'one\n' }): Promise<Bench> {
  const home = mkdtempSync(join(tmpdir(), 'git-cases-'));
  const ledger = createProcessLedger(home);
  onTestFinished(async () => {
    await ledger.killAll(0);
    rmSync(home, { recursive: true, force: true });
  });
  const run = createRunCommand({ ledger, confinement: () => Promise.resolve(null) });
  const bench = await startBench({ files, extraTools: [run] });
  gitIn(bench.root, 'init', '-q', '-b', 'main');
  gitIn(bench.root, 'add', '.');
  gitIn(bench.root, 'commit', '-qm', 'first');
  return bench;
}

/** Every name below a folder with a digest of its bytes. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    hash.update(path).update(entry.isFile() ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}

const COMMIT = 'git -c user.name=Ann -c user.email=a@x commit -qam second';

test('case-T03: on a detached HEAD commands commit, and git_log shows what they made', async () => {
  const bench = await start();
  gitIn(bench.root, 'checkout', '-q', '--detach');
  await bench.text('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(await bench.text('run_command', { command: COMMIT })).toContain('exit 0');
  expect(await bench.text('git_log', { max_count: 1 })).toContain('"subject":"second"');
});

test('case-T04: in a submodule and in a clone inside the project files are edited, and their git folders stay', async () => {
  const bench = await start();
  const source = join(dirname(bench.root), 'source');
  mkdirSync(source);
  gitIn(source, 'init', '-q');
  writeFileSync(join(source, 'b.txt'), 'bee\n');
  gitIn(source, 'add', '.');
  gitIn(source, 'commit', '-qm', 'of the source');
  gitIn(bench.root, 'submodule', '--quiet', 'add', source, 'sub');
  gitIn(bench.root, 'clone', '-q', source, 'deep/own');
  gitIn(bench.root, 'commit', '-qm', 'with a submodule');
  const folders = ['.git', 'deep/own/.git', 'sub'].map((name) => join(bench.root, name));
  const pointer = readFileSync(join(bench.root, 'sub/.git'), 'utf8');
  const before = folders.slice(0, 2).map(digestOf);
  for (const folder of ['sub', 'deep/own']) {
    await bench.text('edit_file', { path: `${folder}/b.txt`, old_string: 'bee', new_string: 'wasp' });
    expect(await bench.content(`${folder}/b.txt`)).toBe('wasp\n');
    expect(await bench.text('git_log', { path: `${folder}/b.txt` })).toContain('of the source');
    expect(await bench.text('git_log', { path: folder })).toContain('of the source');
    const denied = await bench.call('write_file', { path: `${folder}/.git`, content: 'x' });
    expect(denied).toMatchObject({ state: 'error', error: { code: 'protected_path' } });
  }
  expect(await bench.text('git_log', {})).toContain('with a submodule');
  expect(folders.slice(0, 2).map(digestOf)).toEqual(before);
  expect(readFileSync(join(bench.root, 'sub/.git'), 'utf8')).toBe(pointer);
  // The project's own repository has one entry for each.
  const status = gitIn(bench.root, 'status', '--porcelain', '-z').split('\0').filter(Boolean);
  expect(status.sort()).toEqual([' M sub', '?? deep/']);
});

/** A linked worktree with a config of its own; not below /tmp, which confined commands don't see. */
function linkedWorktree(): { main: string; tree: string; configs: () => string[] } {
  const cache = join(realpathSync(join(import.meta.dirname, '../../../../node_modules')), '.cache');
  mkdirSync(cache, { recursive: true });
  const base = mkdtempSync(join(cache, 'worktree-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [main, tree] = [join(base, 'main'), join(base, 'tree')];
  mkdirSync(main);
  gitIn(main, 'init', '-q', '-b', 'main');
  writeFileSync(join(main, 'a.txt'), 'one\n');
  gitIn(main, 'add', '.');
  gitIn(main, 'commit', '-qm', 'first');
  gitIn(main, 'config', 'extensions.worktreeConfig', 'true');
  gitIn(main, 'worktree', 'add', '-q', '-b', 'side', tree);
  gitIn(tree, 'config', '--worktree', 'core.sparseCheckout', 'false');
  const files = [
    '.git/config',
    '.git/worktrees/tree/config.worktree',
    '.git/worktrees/tree/gitdir',
    '.git/HEAD',
  ];
  return {
    main,
    tree,
    configs: () => [
      ...files.map((name) => readFileSync(join(main, name), 'utf8')),
      readFileSync(join(tree, '.git'), 'utf8'),
    ],
  };
}

test('case-T05: in a linked worktree with its own config git_log and commands work, and no config is changed', async () => {
  const { tree, configs } = linkedWorktree();
  const before = configs();
  const home = mkdtempSync(join(tmpdir(), 'git-cases-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const ledger = createProcessLedger(home);
  const run = createRunCommand({ ledger, confinement: () => Promise.resolve(null) });
  const bench = await startBench({ at: tree, extraTools: [run] });
  expect(await bench.text('git_log', {})).toContain('"subject":"first"');
  await bench.text('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(await bench.text('run_command', { command: 'git status --short --branch' })).toContain(
    '## side\n M a.txt',
  );
  expect(await bench.text('run_command', { command: COMMIT })).toContain('exit 0');
  expect(await bench.text('git_log', { max_count: 1 })).toContain('second');
  expect(configs()).toEqual(before);
});

test.runIf(process.platform === 'linux')(
  'case-T05: confined commands see the history of a linked worktree and can change neither config nor hooks',
  async ({ skip }) => {
    const { main, tree, configs } = linkedWorktree();
    if (/^\/(tmp|var\/tmp|run)\//.test(tree)) return skip('confined commands have a /tmp of their own');
    const home = mkdtempSync(join(tmpdir(), 'git-cases-'));
    const confinement = await planConfinement(tree, { latheHome: home });
    if (confinement === null) return skip('this machine can not confine commands');
    const ledger = createProcessLedger(home);
    onTestFinished(async () => {
      confinement.close();
      await ledger.killAll(0);
      rmSync(home, { recursive: true, force: true });
    });
    const run = createRunCommand({ ledger, confinement: () => Promise.resolve(confinement) });
    const bench = await startBench({
      at: tree,
      extraTools: [run],
      runner: { confinement: 'required' },
    });
    const before = configs();
    const text = (command: string): Promise<string> => bench.text('run_command', { command });
    expect(await text('git status --short --branch && git log --format=%s -1 && git diff --stat')).toContain(
      '## side\nfirst\n',
    );
    expect(await text('git config --worktree x.y 1; git config x.y 1; echo x > .git; echo done')).toContain(
      'done',
    );
    expect(await text(`echo x > '${main}/.git/hooks/pre-commit'; echo done`)).toContain('done');
    expect(configs()).toEqual(before);
    expect(readdirSync(join(main, '.git/hooks'))).not.toContain('pre-commit');
  },
);

test('case-T07: changed files are named exactly, whatever is in their names', async () => {
  const bench = await start({ 'ä.txt': '1\n', 'a\tb': '1\n', 'q"uo\'te': '1\n' });
  gitIn(bench.root, 'config', 'core.quotepath', 'true');
  for (const name of ['ä.txt', 'a\tb', 'q"uo\'te']) {
    expect(await bench.text('git_log', { path: name }), name).toContain('"subject":"first"');
    await bench.text('edit_file', { path: name, old_string: '1', new_string: '2' });
    expect(await bench.content(name)).toBe('2\n');
  }
  const [, facts] = await gatherTurnFacts(bench.root, new Date(), 30_000);
  expect(facts).toBe(`Git: main; 3 changed: M a\tb, M q"uo'te, M ä.txt`);
});

test('case-T03, T09: a message tells the model where it is: detached, merging, bare, shallow, a lock left behind', async () => {
  const bench = await start();
  const facts = async (root = bench.root): Promise<string | undefined> =>
    (await gatherTurnFacts(root, new Date(), 30_000))[1];
  gitIn(bench.root, 'checkout', '-q', '--detach');
  const commit = gitIn(bench.root, 'rev-parse', 'HEAD').slice(0, 7);
  expect(await facts()).toBe(`Git: detached HEAD at ${commit}; no changes`);
  gitIn(bench.root, 'checkout', '-qb', 'side');
  writeFileSync(join(bench.root, 'a.txt'), 'side\n');
  gitIn(bench.root, 'commit', '-qam', 'side');
  gitIn(bench.root, 'checkout', '-q', 'main');
  writeFileSync(join(bench.root, 'a.txt'), 'main\n');
  gitIn(bench.root, 'commit', '-qam', 'main');
  expect(() => gitIn(bench.root, 'merge', 'side')).toThrow();
  const lock = join(bench.root, '.git/index.lock');
  writeFileSync(lock, '');
  expect(await facts()).toBe('Git: main, in the middle of merging; 1 changed: UU a.txt');
  utimesSync(lock, 1, 1);
  expect(await facts()).toContain(
    'merging, index.lock is there: a git process runs or has crashed; 1 changed',
  );
  const base = dirname(bench.root);
  gitIn(base, 'clone', '-q', '--bare', bench.root, 'bare');
  gitIn(base, 'clone', '-q', '--depth', '1', `file://${bench.root}`, 'shallow');
  expect(await facts(join(base, 'bare'))).toBe('Git: main, bare repository');
  expect(await facts(join(base, 'shallow'))).toBe('Git: main, shallow clone; no changes');
});

/** A commit made of raw bytes. */
function rawCommit(root: string, message: Buffer, author = 'Ann'): void {
  const tree = gitIn(root, 'rev-parse', 'HEAD^{tree}').trim();
  const parent = gitIn(root, 'rev-parse', 'HEAD').trim();
  const who = `${author} <a@x> 1700000000 +0000`;
  const head = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n`;
  const input = Buffer.concat([Buffer.from(head), message]);
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
    cwd: root,
    input,
  });
  gitIn(root, 'update-ref', 'HEAD', id.toString().trim());
}

test('case-T08: no commit message breaks the log: separators, CR, escapes, a megabyte, invalid UTF-8, a NUL', async () => {
  const bench = await start();
  const messages = [
    '%x00%H %x1f fake\r\n\r\nbody',
    `{"hash":"0","subject":"fake"}\u001b[31m`,
    `${'x'.repeat(1_000_000)}\n\n${'y'.repeat(1_000_000)}`,
    '\n\n',
  ].map((text) => Buffer.from(text));
  const all = [...messages, Buffer.from('caf\xe9 \xff\xfe end', 'latin1'), Buffer.from('before\0after')];
  for (const message of all) rawCommit(bench.root, message);
  rawCommit(bench.root, Buffer.from('long name'), 'N'.repeat(100_000));
  const text = await bench.text('git_log', {});
  const commits = text.split('\n').map((line) => JSON.parse(line) as Record<string, string>);
  expect(commits).toHaveLength(all.length + 2);
  expect(commits.every(({ hash }) => /^[0-9a-f]{12}$/.test(hash ?? ''))).toBe(true);
  expect(commits.map(({ subject }) => subject?.slice(0, 14))).toEqual([
    'long name',
    'before',
    'caf\ufffd \ufffd\ufffd end',
    '',
    'x'.repeat(14),
    '{"hash":"0","s',
    '%x00%H %x1f fa',
    'first',
  ]);
  expect(text.length).toBeLessThan(4000);
});

test('case-T08: of a long history no more than the cap is read', async () => {
  const bench = await start();
  const stream = ['reset refs/heads/main\nfrom refs/heads/main^0\n\n'];
  for (let n = 0; n < 20_000; n += 1) {
    const message = `commit ${n}`;
    stream.push(
      `commit refs/heads/main\ncommitter A <a@x> ${1_700_000_000 + n} +0000\ndata ${message.length}\n${message}\n`,
    );
  }
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: bench.root, input: stream.join('') });
  const lines = (await bench.text('git_log', { max_count: 80 })).split('\n');
  expect(lines).toHaveLength(80);
  expect(lines[0]).toContain('commit 19999');
});

test('case-T09: in a bare repository history is read; in a shallow clone the log says that it is cut', async () => {
  const bench = await start();
  const base = dirname(bench.root);
  gitIn(bench.root, 'commit', '-q', '--allow-empty', '-m', 'second');
  gitIn(base, 'clone', '-q', '--bare', bench.root, 'bare');
  gitIn(base, 'clone', '-q', '--depth', '1', `file://${bench.root}`, 'shallow');
  const bare = await startBench({ at: join(base, 'bare') });
  expect(await bare.text('git_log', {})).toContain('second');
  const shallow = await startBench({ at: join(base, 'shallow') });
  const text = await shallow.text('git_log', {});
  expect(text).toContain('second');
  expect(text).toContain('a shallow clone: older commits are not here');
  expect(await shallow.text('git_log', { max_count: 1 })).not.toContain('shallow');
});

test('case-T09: in the middle of a merge, with a stale lock and without git on the machine files are edited as ever', async () => {
  const bench = await start();
  gitIn(bench.root, 'checkout', '-qb', 'side');
  await bench.text('write_file', { path: 'a.txt', content: 'side\n' });
  gitIn(bench.root, 'commit', '-qam', 'side');
  gitIn(bench.root, 'checkout', '-q', 'main');
  writeFileSync(join(bench.root, 'a.txt'), 'main\n');
  gitIn(bench.root, 'commit', '-qam', 'main');
  expect(() => gitIn(bench.root, 'merge', 'side')).toThrow();
  writeFileSync(join(bench.root, '.git/index.lock'), '');
  await bench.text('read_file', { path: 'a.txt' });
  await bench.text('edit_file', { path: 'a.txt', old_string: '<<<<<<< HEAD\nmain\n', new_string: 'mine\n' });
  expect(await bench.content('a.txt')).toContain('mine\n=======\n');
  expect(await bench.text('git_log', { max_count: 1 })).toContain('"subject":"main"');
  const locked = await bench.call('run_command', { command: 'git add a.txt' });
  expect(locked.modelText).toContain('index.lock');
  vi.stubEnv('PATH', bench.root);
  expect(await bench.call('git_log', {})).toMatchObject({
    state: 'error',
    error: { code: 'unsupported', hint: expect.stringContaining('editing works without it') as string },
  });
  await bench.text('edit_file', { path: 'a.txt', old_string: 'mine', new_string: 'ours' });
  vi.unstubAllEnvs();
  expect(await bench.content('a.txt')).toContain('ours\n=======\n');
});

function hook(bench: Bench, ...lines: string[]): void {
  const path = join(bench.root, '.git/hooks/pre-commit');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}

test('case-T10: a commit hook that prints and fails is shown with its exit code, and nothing is committed', async () => {
  const bench = await start();
  hook(bench, 'echo "lint: 3 problems"', 'echo "see above" >&2', 'exit 7');
  await bench.text('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  const outcome = await bench.call('run_command', { command: COMMIT });
  expect(outcome.modelText).toContain('lint: 3 problems');
  expect(outcome.modelText).toContain('see above');
  expect(outcome.modelText).toContain('[exit 1]');
  expect(outcome.result?.exitCode).toBe(1);
  expect(gitIn(bench.root, 'log', '--format=%s').trim()).toBe('first');
});

test('case-T10: a commit hook that asks gets an end of input, one that waits is ended with all it started', async () => {
  const bench = await start();
  hook(bench, 'read -r answer || echo "nobody answers"', 'exec < /dev/tty && read -r x', 'exit 0');
  await bench.text('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  const asked = await bench.call('run_command', { command: COMMIT });
  expect(asked.modelText).toContain('nobody answers');
  hook(bench, 'echo waiting', 'sleep 98765 & wait');
  await bench.text('edit_file', { path: 'a.txt', old_string: 'two', new_string: 'three' });
  const late = await bench.call('run_command', { command: COMMIT, timeout_s: 1 });
  expect(late.modelText).toContain('waiting');
  expect(late.modelText).toContain('timed out after 1 s');
  const running = execFileSync('ps', ['-eo', 'args']).toString();
  expect(running).not.toContain('sleep 98765');
});
