import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPathJail, type PathJail } from './path-jail';

async function setUp(): Promise<{ base: string; root: string; jail: PathJail }> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'jail-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = path.join(base, 'proj');
  await mkdir(path.join(root, 'src'), { recursive: true });
  await mkdir(path.join(base, 'proj-x'));
  await writeFile(path.join(base, 'proj-x', 'a'), 'secret');
  await writeFile(path.join(root, 'src', 'a.ts'), 'one');
  return { base, root, jail: await openPathJail(root) };
}

test('sec-B01: a sibling folder with the same prefix is outside, a name that begins with two dots is inside', async () => {
  const { base, root, jail } = await setUp();
  for (const bad of [
    `${root}-x/a`,
    `${root}/../proj-x/a`,
    '../proj-x/a',
    '..',
    '/etc/passwd',
    base,
    'src/../../x',
  ]) {
    await expect(jail.resolve(bad), bad).rejects.toMatchObject({ code: 'outside_workspace' });
  }
  expect(await jail.resolve(`${root}/..data/a`)).toEqual({
    relative: '..data/a',
    absolute: path.join(root, '..data', 'a'),
    realRelative: '..data/a',
    exists: false,
  });
});

test('relative, absolute and empty paths resolve; targets that do not exist yet too', async () => {
  const { root, jail } = await setUp();
  expect(await jail.resolve('src/../src/a.ts')).toMatchObject({ relative: 'src/a.ts', exists: true });
  expect(await jail.resolve(path.join(root, 'src/a.ts'))).toMatchObject({ realRelative: 'src/a.ts' });
  expect(await jail.resolve('')).toMatchObject({ relative: '', absolute: root, exists: true });
  expect(await jail.resolve('.')).toMatchObject({ relative: '', exists: true });
  expect(await jail.resolve('new/deep/b.ts')).toMatchObject({ relative: 'new/deep/b.ts', exists: false });
});

test('a project opened through a link takes absolute paths in both spellings', async () => {
  const { base, root } = await setUp();
  await symlink(root, path.join(base, 'alias'));
  const jail = await openPathJail(path.join(base, 'alias'));
  expect(jail.root).toBe(root);
  expect(await jail.resolve(path.join(base, 'alias', 'src/a.ts'))).toMatchObject({ relative: 'src/a.ts' });
  expect(await jail.resolve(path.join(root, 'src/a.ts'))).toMatchObject({ relative: 'src/a.ts' });
});

test('sec-B03: a link inside the project resolves to its target, so that rules see both names', async () => {
  const { root, jail } = await setUp();
  await mkdir(path.join(root, 'secrets'));
  await writeFile(path.join(root, 'secrets/key'), 'k');
  await symlink('secrets/key', path.join(root, 'ok.txt'));
  expect(await jail.resolve('ok.txt')).toMatchObject({ relative: 'ok.txt', realRelative: 'secrets/key' });
});

test('sec-B04: links that leave the project are refused, also to files that do not exist', async () => {
  const { base, root, jail } = await setUp();
  await symlink(path.join(base, 'proj-x'), path.join(root, 'out'));
  await symlink(path.join(base, 'nothing'), path.join(root, 'dangling'));
  await symlink('src/gone', path.join(root, 'inside-dangling'));
  for (const bad of ['out', 'out/a', 'out/new/b', 'dangling', 'dangling/x']) {
    await expect(jail.resolve(bad), bad).rejects.toMatchObject({ code: 'symlink_escape' });
  }
  await expect(jail.resolve('inside-dangling')).rejects.toMatchObject({ code: 'path_unresolved' });
});

test('sec-B05: what can not be resolved is refused instead of used raw', async () => {
  const { root, jail } = await setUp();
  await symlink('loop', path.join(root, 'loop'));
  await expect(jail.resolve('loop')).rejects.toMatchObject({ code: 'path_unresolved' });
  await expect(jail.resolve('loop/x')).rejects.toMatchObject({ code: 'path_unresolved' });
  await expect(jail.resolve('n'.repeat(300))).rejects.toMatchObject({ code: 'path_unresolved' });
  await expect(jail.resolve('src/a.ts/x')).rejects.toMatchObject({ code: 'path_unresolved' });
  await rm(root, { recursive: true });
  await expect(jail.resolve('src/a.ts')).rejects.toMatchObject({ code: 'path_unresolved' });
});

test('sec-B06: the home folder and the root are no working folders', async () => {
  const { jail } = await setUp();
  for (const bad of ['/', '~', '~/x']) {
    await expect(jail.resolve(bad)).rejects.toMatchObject({ code: 'outside_workspace' });
  }
});

test('sec-B10: network and device paths are refused before the file system is asked', async () => {
  const { jail } = await setUp();
  const bad = [
    '\\\\evil\\s\\f',
    '\\??\\UNC\\evil\\s\\f',
    '\\\\?\\C:\\x',
    '//evil/s',
    'file://evil/s',
    'FILE:///etc/passwd',
  ];
  for (const input of bad) {
    await expect(jail.resolve(input), input).rejects.toMatchObject({ code: 'outside_workspace' });
  }
  await expect(jail.resolve('a\0b')).rejects.toMatchObject({ code: 'bad_argument' });
});

test.skipIf(process.platform === 'win32')(
  'backslashes and drive letters are plain characters on POSIX',
  async () => {
    const { jail } = await setUp();
    expect(await jail.resolve('C:\\Users\\unicorn')).toMatchObject({ relative: 'C:\\Users\\unicorn' });
  },
);

test('case-G10: names with odd characters resolve exactly; a name in the other Unicode form is found', async () => {
  const { root, jail } = await setUp();
  const nfc = 'caf\u00e9.txt';
  const nfd = 'cafe\u0301.txt';
  for (const name of ['a b.txt', '-n.txt', 'a\nb.txt', '[id].tsx', '$x.js', nfd]) {
    await writeFile(path.join(root, name), name);
    expect(await jail.resolve(name)).toMatchObject({ relative: name, realRelative: name, exists: true });
  }
  expect(await jail.resolve(nfc)).toMatchObject({ exists: true, realRelative: nfd });
  await writeFile(path.join(root, nfc), 'both');
  expect(await jail.resolve(nfc)).toMatchObject({ exists: true, realRelative: nfc });
});

test('a missing folder is said when the project is opened', async () => {
  await expect(openPathJail('/no/such/folder')).rejects.toMatchObject({ code: 'folder_missing' });
});
