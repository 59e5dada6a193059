import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realDisk, type DiskSteps } from '../workspace/atomic-write';
import type { WorkspaceFiles } from '../workspace/types';
import { openWorkspaceFiles, sha256 } from '../workspace/workspace-files';
import { writeFileSet, type FileChange } from './file-set';
import { createFileSetJournal } from './file-set-journal';
import { recoveredNotices, recoverFileSets } from './recover-file-sets';

const BEFORE = { a: 'A\n', b: 'B\n', c: 'C\n' };
const AFTER: Record<string, string | null> = { a: 'A2\n', b: null, c: 'C2\n', 'new/d': 'D2\n' };

async function setUp(disk?: DiskSteps) {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'file-set-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = path.join(base, 'proj');
  await mkdir(root);
  for (const [name, text] of Object.entries(BEFORE)) await writeFile(path.join(root, name), text);
  const files = await openWorkspaceFiles(root, disk ? { disk } : {});
  const dir = path.join(base, 'unfinished');
  return { root, files, dir, journal: createFileSetJournal(dir) };
}

const changesOf = (after: Record<string, string | null>): FileChange[] =>
  Object.entries(after).map(([name, text]) => {
    const before = BEFORE[name as keyof typeof BEFORE] as string | undefined;
    return {
      path: name,
      bytes: text === null ? null : Buffer.from(text),
      expectedHash: before === undefined ? null : sha256(Buffer.from(before)),
    };
  });

async function contents(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(root, { recursive: true })) {
    const target = path.join(root, name);
    if ((await stat(target)).isFile()) found[name] = await readFile(target, 'utf8');
    else found[`${name}/`] = '';
  }
  return found;
}

const noSpace = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

test('a set is written wholly and leaves nothing in the journal', async () => {
  const { root, files, journal, dir } = await setUp();
  await writeFileSet(files, changesOf(AFTER), journal);
  expect(await contents(root)).toEqual({ a: 'A2\n', c: 'C2\n', 'new/': '', 'new/d': 'D2\n' });
  expect(await readdir(dir)).toEqual([]);
});

test.each([1, 2, 3])(
  'E4: a disk that is full at write %i leaves every file as it was, and no folder',
  async (failing) => {
    let writes = 0;
    const disk: DiskSteps = {
      ...realDisk,
      write: (fd, bytes) => ((writes += 1) === failing ? Promise.reject(noSpace) : realDisk.write(fd, bytes)),
    };
    const { root, files, journal, dir } = await setUp(disk);
    await expect(writeFileSet(files, changesOf(AFTER), journal)).rejects.toMatchObject({ code: 'disk_full' });
    expect(await contents(root)).toEqual(BEFORE);
    expect(await readdir(dir)).toEqual([]);
  },
);

/** The same files, but the replacing or removing of one of them is refused. */
function refusing(files: WorkspaceFiles, name: string): WorkspaceFiles {
  const denied = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }));
  return {
    ...files,
    writeBytes: (target, bytes, options) => {
      if (target !== name) return files.writeBytes(target, bytes, options);
      options?.onStaged?.();
      return (options?.after ?? Promise.resolve()).then(denied);
    },
    removeFile: (target, options) => (target === name ? denied() : files.removeFile(target, options)),
  };
}

test.each(Object.keys(AFTER))('E4: when %s can’t be replaced, those before it are put back', async (name) => {
  const { root, files, journal, dir } = await setUp();
  await expect(writeFileSet(refusing(files, name), changesOf(AFTER), journal)).rejects.toThrow('EACCES');
  expect(await contents(root)).toEqual(BEFORE);
  expect(await readdir(dir)).toEqual([]);
});

test('a file that changed since the plan stops the whole set', async () => {
  const { root, files, journal } = await setUp();
  await writeFile(path.join(root, 'c'), 'other\n');
  await expect(writeFileSet(files, changesOf(AFTER), journal)).rejects.toMatchObject({ code: 'stale' });
  expect(await contents(root)).toEqual({ ...BEFORE, c: 'other\n' });
});

/** A process that writes the set and is killed right before the file called `stopAt` is replaced. */
async function killedAt(stopAt: string, root: string, dir: string): Promise<void> {
  const script = `
    const { runnerImport } = await import('vite');
    const load = async (file) => (await runnerImport(file, { configFile: false, logLevel: 'error' })).module;
    const here = ${JSON.stringify(import.meta.dirname)};
    const { openWorkspaceFiles } = await load(here + '/../workspace/workspace-files.ts');
    const { writeFileSet } = await load(here + '/file-set.ts');
    const { createFileSetJournal } = await load(here + '/file-set-journal.ts');
    const files = await openWorkspaceFiles(${JSON.stringify(root)});
    const stop = () => process.kill(process.pid, 'SIGKILL');
    const watched = {
      ...files,
      writeBytes: (name, bytes, options) =>
        files.writeBytes(name, bytes, {
          ...options,
          after: options.after.then(() => (name === ${JSON.stringify(stopAt)} ? stop() : undefined)),
        }),
      removeFile: (name, options) =>
        name === ${JSON.stringify(stopAt)} ? stop() : files.removeFile(name, options),
    };
    const changes = JSON.parse(process.argv[1]).map((change) => ({
      ...change,
      bytes: change.bytes && Buffer.from(change.bytes.data),
    }));
    await writeFileSet(watched, changes, createFileSetJournal(${JSON.stringify(dir)}));
  `;
  const args = ['--input-type=module', '-e', script, JSON.stringify(changesOf(AFTER))];
  const child = spawn(process.execPath, args, {
    cwd: path.join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

test('E4: what a killed process leaves half written is taken back at the next start', async () => {
  const { root, dir } = await setUp();
  await killedAt('c', root, dir);
  expect(await contents(root)).not.toEqual(BEFORE);
  const recovered = await recoverFileSets(dir);
  expect(await contents(root)).toEqual({ ...BEFORE, 'new/': '' });
  expect(recovered).toMatchObject({ undone: [{ root, paths: Object.keys(AFTER) }], failed: [] });
  expect(recoveredNotices(recovered)).toEqual([expect.stringContaining('taken back')]);
  expect(await readdir(dir)).toEqual([]);
}, 60_000);

/** A set that a process which is gone left behind, with its files as given. */
async function leftBehind(dir: string, root: string, now: Record<string, string>): Promise<void> {
  const journal = createFileSetJournal(dir);
  const entry = await journal.begin(
    root,
    Object.entries(BEFORE).map(([name, text]) => ({
      path: name,
      bytes: Buffer.from(text),
      before: sha256(Buffer.from(text)),
      after: sha256(Buffer.from(`${text}new`)),
      mode: 0o644,
      modeAfter: null,
    })),
  );
  const record = JSON.parse(await readFile(path.join(entry, 'set.json'), 'utf8')) as object;
  await writeFile(path.join(entry, 'set.json'), JSON.stringify({ ...record, started: 'earlier' }));
  for (const [name, text] of Object.entries(now)) await writeFile(path.join(root, name), text);
}

test('a set that was written wholly stays, and one of a living process is left alone', async () => {
  const { root, dir, journal } = await setUp();
  await journal.begin(root, []);
  const after = { a: 'A\nnew', b: 'B\nnew', c: 'C\nnew' };
  await leftBehind(dir, root, after);
  expect(await recoverFileSets(dir)).toEqual({ undone: [], failed: [] });
  expect(await contents(root)).toEqual(after);
  expect(await readdir(dir)).toHaveLength(1);
});

test('a set that was written wholly stays also when somebody went on from it', async () => {
  const { root, dir } = await setUp();
  const after = { a: 'A\nnew', b: 'B\nnew and mine', c: 'C\nnew' };
  await leftBehind(dir, root, after);
  expect(await recoverFileSets(dir)).toEqual({ undone: [], failed: [] });
  expect(await contents(root)).toEqual(after);
});

test('a file that somebody changed since is never overwritten by taking back', async () => {
  const { root, dir } = await setUp();
  await leftBehind(dir, root, { a: 'A\nnew', b: 'mine\n' });
  const recovered = await recoverFileSets(dir);
  expect(await contents(root)).toEqual({ a: 'A\n', b: 'mine\n', c: 'C\n' });
  expect(recovered.failed).toMatchObject([{ root }]);
});
