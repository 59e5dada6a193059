import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realDisk, type DiskSteps } from './atomic-write';
import type { WorkspaceFiles } from './types';
import { openWorkspaceFiles, sha256 } from './workspace-files';

async function setUp(disk?: DiskSteps): Promise<{ base: string; root: string; files: WorkspaceFiles }> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'files-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = path.join(base, 'proj');
  await mkdir(root);
  return { base, root, files: await openWorkspaceFiles(root, disk === undefined ? {} : { disk }) };
}

const bytes = (text: string): Buffer => Buffer.from(text);

test('a file is written, read and hashed; folders on the way are made', async () => {
  const { root, files } = await setUp();
  const { hash } = await files.writeBytes('src/deep/a.ts', bytes('one'), { expectedHash: null });
  expect(hash).toBe(sha256(bytes('one')));
  expect(await files.readBytes('src/deep/a.ts')).toMatchObject({ bytes: bytes('one'), hash, sizeBytes: 3 });
  expect(await files.hashOf('src/deep/a.ts')).toBe(hash);
  expect(await files.hashOf('nothing')).toBeNull();
  expect(await readdir(path.join(root, 'src/deep'))).toEqual(['a.ts']);
});

test('a name that is made durable in the background leaves no handle open', async ({ skip }) => {
  if (process.platform !== 'linux') return skip('handles are counted in /proc');
  const { root, files } = await setUp();
  const handles = async () => (await readdir('/proc/self/fd')).length;
  await files.writeBytes('a', bytes('zero'));
  const before = await handles();
  for (let i = 0; i < 20; i += 1) {
    const { named } = await files.writeBytes('a', bytes(`${i}`), { namesLater: true });
    expect(await readFile(path.join(root, 'a'), 'utf8')).toBe(`${i}`);
    await named;
  }
  expect(await handles()).toBe(before);
});

test('the expected hash guards every write', async () => {
  const { root, files } = await setUp();
  await writeFile(path.join(root, 'a'), 'one');
  await expect(files.writeBytes('a', bytes('x'), { expectedHash: null })).rejects.toMatchObject({
    code: 'stale',
  });
  await expect(
    files.writeBytes('a', bytes('x'), { expectedHash: sha256(bytes('two')) }),
  ).rejects.toMatchObject({
    code: 'stale',
  });
  await expect(
    files.writeBytes('b', bytes('x'), { expectedHash: sha256(bytes('two')) }),
  ).rejects.toMatchObject({
    code: 'stale',
  });
  await files.writeBytes('a', bytes('x'), { expectedHash: sha256(bytes('one')) });
  expect(await readFile(path.join(root, 'a'), 'utf8')).toBe('x');
  expect(await readdir(root)).toEqual(['a']);
});

test('case-E28: the mode is kept; read-only files, folders and pipes are refused', async () => {
  const { root, files } = await setUp();
  await writeFile(path.join(root, 'run.sh'), 'a');
  await chmod(path.join(root, 'run.sh'), 0o755);
  await files.writeBytes('run.sh', bytes('b'));
  expect((await stat(path.join(root, 'run.sh'))).mode & 0o777).toBe(0o755);

  await writeFile(path.join(root, 'locked'), 'a');
  await chmod(path.join(root, 'locked'), 0o444);
  await expect(files.writeBytes('locked', bytes('b'))).rejects.toMatchObject({ code: 'io_failed' });
  expect(await readFile(path.join(root, 'locked'), 'utf8')).toBe('a');

  await mkdir(path.join(root, 'dir'));
  await expect(files.readBytes('dir')).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(files.writeBytes('dir', bytes('b'))).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(files.writeBytes('', bytes('b'))).rejects.toMatchObject({ code: 'bad_argument' });
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  await expect(files.readBytes('pipe')).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(files.writeBytes('pipe', bytes('b'))).rejects.toMatchObject({ code: 'bad_argument' });
});

test('case-E27: a disk that fills up or fails midway keeps the old bytes and leaves no litter', async () => {
  const full = (code: string): DiskSteps => ({
    write: (fd, data) => {
      writeSync(fd, data, 0, 1);
      throw Object.assign(new Error(code), { code });
    },
    sync: (fd) => realDisk.sync(fd),
  });
  for (const [code, expected] of [
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EIO', 'io_failed'],
  ] as const) {
    const { root, files } = await setUp(full(code));
    await writeFile(path.join(root, 'a'), 'old');
    await expect(files.writeBytes('a', bytes('new contents'))).rejects.toMatchObject({ code: expected });
    expect(await readFile(path.join(root, 'a'), 'utf8')).toBe('old');
    expect(await readdir(root)).toEqual(['a']);
  }
});

test('case-E27: a disk that takes the bytes but not their sync, as network folders do, keeps the old ones too', async () => {
  const { root, files } = await setUp({
    write: (fd, data) => realDisk.write(fd, data),
    sync: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })),
  });
  await writeFile(path.join(root, 'a'), 'old');
  await expect(files.writeBytes('a', bytes('new'))).rejects.toMatchObject({ code: 'io_failed' });
  expect(await readFile(path.join(root, 'a'), 'utf8')).toBe('old');
  expect(await readdir(root)).toEqual(['a']);
});

test('sec-B04: a link planted to a file outside is not written through', async () => {
  const { base, root, files } = await setUp();
  await writeFile(path.join(base, 'zshrc'), 'mine');
  await symlink(path.join(base, 'zshrc'), path.join(root, 'notes.md'));
  await expect(files.writeBytes('notes.md', bytes('x'))).rejects.toMatchObject({ code: 'symlink_escape' });
  await expect(files.readBytes('notes.md')).rejects.toMatchObject({ code: 'symlink_escape' });
  expect(await readFile(path.join(base, 'zshrc'), 'utf8')).toBe('mine');
});

test('a link to a file inside stays a link when its target is written', async () => {
  const { root, files } = await setUp();
  await writeFile(path.join(root, 'real'), 'a');
  await symlink('real', path.join(root, 'alias'));
  await files.writeBytes('alias', bytes('b'));
  expect(await readFile(path.join(root, 'real'), 'utf8')).toBe('b');
  expect((await files.list('')).map((entry) => entry.kind)).toEqual(['link', 'file']);
});

test('sec-B13: writing a hard link leaves the other name of the file alone', async () => {
  const { base, root, files } = await setUp();
  await writeFile(path.join(base, 'outside'), 'mine');
  await link(path.join(base, 'outside'), path.join(root, 'inside'));
  const { ino, mode } = await stat(path.join(base, 'outside'));
  expect(await files.readBytes('inside')).toMatchObject({ bytes: bytes('mine') });
  await files.writeBytes('inside', bytes('theirs'));
  expect(await readFile(path.join(base, 'outside'), 'utf8')).toBe('mine');
  expect(await stat(path.join(base, 'outside'))).toMatchObject({ ino, mode, nlink: 1 });
  expect(await readFile(path.join(root, 'inside'), 'utf8')).toBe('theirs');
  await link(path.join(base, 'outside'), path.join(root, 'again'));
  await files.removeFile('again', { expectedHash: sha256(bytes('mine')) });
  expect(await readFile(path.join(base, 'outside'), 'utf8')).toBe('mine');
});

test(
  'sec-B14: a folder that keeps being swapped for a link never lets a write out',
  { timeout: 60_000 },
  async () => {
    // Whether the disk has it already makes no difference here, and would take most of the time.
    const { base, root, files } = await setUp({ ...realDisk, sync: () => Promise.resolve() });
    const outside = path.join(base, 'outside');
    await mkdir(outside);
    await mkdir(path.join(root, 'd'));
    await symlink(outside, path.join(root, 'trap'));
    let on = true;
    const swapping = (async () => {
      while (on) {
        await rename(path.join(root, 'd'), path.join(root, 'e')).catch(() => undefined);
        await rename(path.join(root, 'trap'), path.join(root, 'd')).catch(() => undefined);
        await rename(path.join(root, 'd'), path.join(root, 'trap')).catch(() => undefined);
        await rename(path.join(root, 'e'), path.join(root, 'd')).catch(() => undefined);
      }
    })();
    let written = 0;
    for (let i = 0; i < 1000; i += 1) {
      await files.writeBytes('d/f', bytes(String(i))).then(
        () => (written += 1),
        () => undefined,
      );
    }
    on = false;
    await swapping;
    expect(await readdir(outside)).toEqual([]);
    expect(written).toBeGreaterThan(0);
  },
);

test('a file over the limit is refused with its size; scanning reads it in pieces and can end early', async () => {
  const { root, files } = await setUp();
  await writeFile(path.join(root, 'big'), Buffer.alloc(3 * 1024 * 1024, 'a'));
  await expect(files.readBytes('big', { maxBytes: 1024 })).rejects.toMatchObject({
    code: 'file_too_large',
    detail: { sizeBytes: 3 * 1024 * 1024 },
  });
  let seen = 0;
  await files.scan('big', (chunk) => {
    seen += chunk.length;
    return seen < 1024;
  });
  expect(seen).toBeLessThan(3 * 1024 * 1024);
  const stop = AbortSignal.abort();
  await expect(files.scan('big', () => true, { signal: stop })).rejects.toMatchObject({ code: 'cancelled' });
});

test('a file is removed only with the bytes that are meant, and never through a link that leads out', async () => {
  const { base, root, files } = await setUp();
  await files.writeBytes('d/f', bytes('one'));
  await expect(files.removeFile('d/f', { expectedHash: sha256(bytes('two')) })).rejects.toMatchObject({
    code: 'stale',
  });
  expect(await readdir(path.join(root, 'd'))).toEqual(['f']);
  await files.removeFile('d/f', { expectedHash: sha256(bytes('one')) });
  expect(await readdir(path.join(root, 'd'))).toEqual([]);
  await expect(files.removeFile('d/f', { expectedHash: '' })).rejects.toMatchObject({ code: 'not_found' });
  await mkdir(path.join(base, 'outside'));
  await writeFile(path.join(base, 'outside/f'), 'one');
  await symlink(path.join(base, 'outside'), path.join(root, 'link'));
  const outside = files.removeFile('link/f', { expectedHash: sha256(bytes('one')) });
  await expect(outside).rejects.toMatchObject({ code: 'symlink_escape' });
  expect(await readdir(path.join(base, 'outside'))).toEqual(['f']);
});

test('sec-B14: a folder that is swapped for a link while a file is removed never lets the removal out', async () => {
  const { base, root, files } = await setUp();
  const outside = path.join(base, 'outside');
  await mkdir(outside);
  await mkdir(path.join(root, 'd'));
  await writeFile(path.join(outside, 'f'), 'x');
  await symlink(outside, path.join(root, 'trap'));
  const [folder, away, trap] = ['d', 'e', 'trap'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (let round = 0; round < 300; round += 1) {
    await writeFile(path.join(folder, 'f'), 'x');
    const removal = files.removeFile('d/f', { expectedHash: sha256(bytes('x')) }).catch(() => undefined);
    await rename(folder, away);
    await rename(trap, folder);
    await removal;
    expect(await readdir(outside)).toEqual(['f']);
    await rename(folder, trap);
    await rename(away, folder);
  }
});
