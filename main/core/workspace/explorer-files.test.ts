import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LARGE_FILE_LINES } from '../../../shared/contract/files';
import { silentLogger } from '../log/logger';
import { createExplorerFiles, type ExplorerFiles } from './explorer-files';
import { createFileManifest, type FileManifest } from './file-manifest';
import { createGitIgnore } from './git-ignore';
import { openWorkspaceFiles } from './workspace-files';

let dir: string;
let root: string;
let manifest: FileManifest;
let explorer: ExplorerFiles;

beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-explorer-')));
  root = join(dir, 'project');
  mkdirSync(root);
  const files = await openWorkspaceFiles(root);
  const ignore = createGitIgnore(root);
  manifest = createFileManifest({ root, ignore, logger: silentLogger });
  explorer = createExplorerFiles({
    files,
    ignore,
    manifest,
    host: { trash: null, revealInFileManager: null },
  });
});
afterEach(() => {
  manifest.close();
  rmSync(dir, { recursive: true, force: true });
});

function write(path: string, bytes: string | Buffer = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), bytes);
}
const bytesOf = (path: string): Buffer => readFileSync(join(root, path));

async function readText(path: string) {
  const content = await explorer.read(path);
  if (content.kind !== 'text') throw new Error(`${path} is ${content.kind}`);
  return content;
}

async function edit(path: string, change: (text: string) => string) {
  const { text, hash } = await readText(path);
  return explorer.save({ path, text: change(text), baseHash: hash, overwrite: false });
}

test('folders come first, numbers by value, ignored ones are marked, git stays hidden', async () => {
  write('.gitignore', '*.log\nout/\n');
  for (const path of ['file10.ts', 'file2.ts', 'B.ts', 'a.log', 'out/x', 'src/a.ts', '.git/HEAD'])
    write(path);
  expect((await explorer.list('')).map((entry) => [entry.name, entry.kind, entry.ignored])).toEqual([
    ['out', 'folder', true],
    ['src', 'folder', false],
    ['.gitignore', 'file', false],
    ['a.log', 'file', true],
    ['B.ts', 'file', false],
    ['file2.ts', 'file', false],
    ['file10.ts', 'file', false],
  ]);
  expect(await explorer.list('out')).toMatchObject([{ path: 'out/x', ignored: true }]);
  await expect(explorer.list('gone')).rejects.toMatchObject({ code: 'not_found' });
});

test('links show what they lead to, and are never followed out of the project', async () => {
  write('src/a.ts');
  mkdirSync(join(dir, 'outside'));
  symlinkSync(join(root, 'src'), join(root, 'inner'));
  symlinkSync(join(root, 'src', 'a.ts'), join(root, 'one.ts'));
  symlinkSync(join(dir, 'outside'), join(root, 'outer'));
  symlinkSync(join(root, 'nothing'), join(root, 'broken'));
  const links = (await explorer.list('')).filter((entry) => entry.kind === 'link');
  expect(links.map((entry) => [entry.name, entry.target])).toEqual([
    ['inner', 'folder'],
    ['broken', null],
    ['one.ts', 'file'],
    ['outer', null],
  ]);
  expect((await explorer.list('inner')).map((entry) => entry.path)).toEqual(['inner/a.ts']);
  await expect(explorer.list('outer')).rejects.toMatchObject({ code: 'symlink_escape' });
});

test('case-D07: over 20 MB a file is plain and read-only, over 100 MB only its head is shown', async () => {
  write('big.log', Buffer.alloc(21 * 1024 * 1024, 'x\n'));
  expect(await explorer.read('big.log')).toMatchObject({ kind: 'text', large: true, readOnly: true });
  write('huge.log', 'first line\n');
  truncateSync(join(root, 'huge.log'), 200 * 1024 * 1024);
  const huge = await explorer.read('huge.log');
  expect(huge).toMatchObject({ kind: 'too_large', sizeBytes: 200 * 1024 * 1024 });
  const save = { path: 'big.log', text: 'x', baseHash: null, overwrite: true };
  await expect(explorer.save(save)).rejects.toMatchObject({ code: 'file_too_large' });
  write('one-line.js', Buffer.alloc(30 * 1024 * 1024, 'x'));
  expect(await explorer.read('one-line.js')).toMatchObject({ kind: 'text', large: true, readOnly: true });
});

test('case-D07: a file of very many lines is plain and read-only too, however few bytes they take', async () => {
  write('many.txt', Buffer.alloc(LARGE_FILE_LINES * 2, 'x\n'));
  expect(await explorer.read('many.txt')).toMatchObject({ large: false, readOnly: false });
  write('more.txt', Buffer.alloc(LARGE_FILE_LINES * 2 + 2, 'x\n'));
  expect(await explorer.read('more.txt')).toMatchObject({ large: true, readOnly: true });
});

test('case-D08: images are images, other bytes a hex notice, and neither is ever saved as text', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  write('a.PNG', png);
  write('fake.png', 'just text');
  write('tool', Buffer.from('7f454c4602010100000000', 'hex'));
  expect(await explorer.read('a.PNG')).toMatchObject({
    kind: 'image',
    mime: 'image/png',
    base64: png.toString('base64'),
  });
  expect(await explorer.read('fake.png')).toMatchObject({ kind: 'text', text: 'just text' });
  const elf = await explorer.read('tool');
  expect(elf).toMatchObject({ kind: 'binary', sizeBytes: 11 });
  expect(elf.kind === 'binary' && elf.hexPreview).toMatch(/^00000000 {2}7f 45 4c 46 .*\.ELF/);
  const save = { path: 'tool', text: 'x', baseHash: null, overwrite: true };
  await expect(explorer.save(save)).rejects.toMatchObject({ code: 'binary_file' });
  expect(bytesOf('tool')).toHaveLength(11);
});

test('case-D09: one changed character keeps encoding, mark and line ends of the rest', async () => {
  write('latin.txt', Buffer.from('// caf\xe9\r\nx = 1;\r\n', 'latin1'));
  write('wide.txt', Buffer.from('\ufeffa\r\nb\r\n', 'utf16le'));
  write('bom.txt', '\ufeffhello\n');
  expect(await readText('wide.txt')).toMatchObject({
    text: 'a\nb\n',
    encoding: 'utf-16le',
    bom: true,
    eol: 'crlf',
  });
  await edit('latin.txt', (text) => text.replace('1', '2'));
  await edit('wide.txt', (text) => text.replace('b', 'c'));
  await edit('bom.txt', (text) => text.replace('hello', 'hi'));
  expect(bytesOf('latin.txt')).toEqual(Buffer.from('// caf\xe9\r\nx = 2;\r\n', 'latin1'));
  expect(bytesOf('wide.txt')).toEqual(Buffer.from('\ufeffa\r\nc\r\n', 'utf16le'));
  expect(bytesOf('bom.txt')).toEqual(Buffer.from('\ufeffhi\n'));
  await expect(edit('latin.txt', (text) => text.replace('x', '漢'))).rejects.toMatchObject({
    code: 'unsupported_encoding',
  });
  expect(bytesOf('latin.txt')).toEqual(Buffer.from('// caf\xe9\r\nx = 2;\r\n', 'latin1'));
});

test('case-D09: a character that the encoding lacks is saved when the user gives the encoding up, line ends kept', async () => {
  write('latin.txt', Buffer.from('// caf\xe9\r\nx = 1;\r\n', 'latin1'));
  const { hash } = await readText('latin.txt');
  const save = { path: 'latin.txt', text: '// café\n漢 = 1;\n', baseHash: hash, overwrite: false };
  await expect(explorer.save(save)).rejects.toMatchObject({ code: 'unsupported_encoding' });
  expect(await explorer.save({ ...save, encoding: 'utf-8' })).toMatchObject({ kind: 'saved' });
  expect(bytesOf('latin.txt')).toEqual(Buffer.from('// café\r\n漢 = 1;\r\n'));
  expect(await readText('latin.txt')).toMatchObject({ encoding: 'utf-8', eol: 'crlf' });
});

test('case-D09: GBK keeps its bytes around one changed character', async () => {
  const gbk = (text: string): Buffer => Buffer.concat([Buffer.from(text), Buffer.from('d6d0cec40a', 'hex')]);
  write('gbk.txt', gbk('const x = 1\n'));
  expect(await readText('gbk.txt')).toMatchObject({ encoding: 'gbk', text: 'const x = 1\n中文\n' });
  await edit('gbk.txt', (text) => text.replace('1', '2'));
  expect(bytesOf('gbk.txt')).toEqual(gbk('const x = 2\n'));
});

test('an encoding nobody knows is a notice', async () => {
  write('odd.txt', Buffer.from([0xff, 0xfe, 0x00, 0x00, 0x41, 0, 0, 0]));
  expect(await explorer.read('odd.txt')).toMatchObject({ kind: 'undecodable' });
});

test('case-D10: mixed line ends stay as they are, without an edit and beside one', async () => {
  const raw = 'a\r\nb\nc\r\nd\ne\r\n';
  write('mixed.txt', raw);
  const before = statSync(join(root, 'mixed.txt'));
  expect(await edit('mixed.txt', (text) => text)).toMatchObject({ kind: 'saved' });
  expect(statSync(join(root, 'mixed.txt')).ino).toBe(before.ino);
  await edit('mixed.txt', (text) => text.replace('c', 'C').replace('e\n', 'e\nf\n'));
  expect(bytesOf('mixed.txt').toString()).toBe('a\r\nb\nC\r\nd\ne\r\nf\r\n');
});

test('case-D05: a change with the same size and time is a conflict, and nothing is written', async () => {
  write('a.txt', 'one');
  const past = new Date(1_600_000_000_000);
  utimesSync(join(root, 'a.txt'), past, past);
  const { hash } = await readText('a.txt');
  write('a.txt', 'two');
  utimesSync(join(root, 'a.txt'), past, past);
  const save = { path: 'a.txt', text: 'mine', baseHash: hash, overwrite: false };
  expect(await explorer.save(save)).toMatchObject({
    kind: 'conflict',
    current: { kind: 'text', text: 'two' },
  });
  expect(bytesOf('a.txt').toString()).toBe('two');
  expect(await explorer.save({ ...save, overwrite: true })).toMatchObject({ kind: 'saved' });
  expect(bytesOf('a.txt').toString()).toBe('mine');
});

test('case-D06: of two editors that started from the same text the second is refused', async () => {
  write('a.txt', 'base');
  const { hash } = await readText('a.txt');
  const save = (text: string) => explorer.save({ path: 'a.txt', text, baseHash: hash, overwrite: false });
  expect(await save('first')).toMatchObject({ kind: 'saved' });
  expect(await save('second')).toMatchObject({ kind: 'conflict' });
  expect(await save('first')).toMatchObject({ kind: 'saved' });
});

test('case-D04: a deleted file is a conflict without content; overwriting brings it back', async () => {
  write('a.txt', 'base');
  const { hash } = await readText('a.txt');
  rmSync(join(root, 'a.txt'));
  const save = { path: 'a.txt', text: 'mine', baseHash: hash, overwrite: false };
  expect(await explorer.save(save)).toEqual({ kind: 'conflict', current: null });
  expect(await explorer.save({ ...save, overwrite: true })).toMatchObject({ kind: 'saved' });
  write('b.txt', 'theirs');
  expect(await explorer.save({ ...save, path: 'b.txt', baseHash: null })).toMatchObject({ kind: 'conflict' });
  expect(await explorer.save({ ...save, path: 'new/c.txt', baseHash: null })).toMatchObject({
    kind: 'saved',
  });
});

test('saving keeps the mode; a read-only file says so', async () => {
  write('run.sh', 'echo 1\n');
  chmodSync(join(root, 'run.sh'), 0o755);
  await edit('run.sh', (text) => text.replace('1', '2'));
  expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
  chmodSync(join(root, 'run.sh'), 0o444);
  expect(await explorer.read('run.sh')).toMatchObject({ readOnly: true });
});

test('creating never replaces, also not a broken link, and makes the folders on the way', async () => {
  await explorer.create('a/b/c.ts', 'file');
  await explorer.create('a/d/e', 'folder');
  expect(bytesOf('a/b/c.ts')).toHaveLength(0);
  expect(statSync(join(root, 'a/d/e')).isDirectory()).toBe(true);
  symlinkSync('/nowhere', join(root, 'broken'));
  for (const path of ['a/b/c.ts', 'a/d', 'broken']) {
    await expect(explorer.create(path, 'file')).rejects.toMatchObject({ code: 'conflict' });
  }
  await expect(explorer.create('../x', 'file')).rejects.toMatchObject({ code: 'outside_workspace' });
});

test('case-D12: moving never replaces; a change of letter case alone is a rename', async () => {
  write('a.ts', 'a');
  write('b.ts', 'b');
  await expect(explorer.move('a.ts', 'b.ts')).rejects.toMatchObject({ code: 'conflict' });
  await explorer.move('a.ts', 'A.ts');
  expect((await explorer.list('')).map((entry) => entry.name)).toEqual(['A.ts', 'b.ts']);
  await explorer.move('A.ts', 'sub/dir/c.ts');
  expect(bytesOf('sub/dir/c.ts').toString()).toBe('a');
  await expect(explorer.move('sub', 'sub/dir/sub')).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(explorer.move('gone', 'x')).rejects.toMatchObject({ code: 'not_found' });
  await expect(explorer.move('b.ts', '../b.ts')).rejects.toMatchObject({ code: 'outside_workspace' });
  await expect(explorer.move('', 'x')).rejects.toMatchObject({ code: 'bad_argument' });
});

test('removing a link leaves what it leads to, also outside the project', async () => {
  mkdirSync(join(dir, 'outside'));
  writeFileSync(join(dir, 'outside', 'keep.txt'), 'keep');
  symlinkSync(join(dir, 'outside'), join(root, 'link'));
  write('src/a.ts');
  expect(await explorer.remove('link')).toEqual({ permanent: true });
  await explorer.remove('src');
  expect(existsSync(join(dir, 'outside', 'keep.txt'))).toBe(true);
  expect(existsSync(join(root, 'src'))).toBe(false);
  await expect(explorer.remove('.')).rejects.toMatchObject({ code: 'bad_argument' });
  expect(lstatSync(root).isDirectory()).toBe(true);
});

test('where the host has a trash nothing is deleted for good, and a failing trash deletes nothing', async () => {
  const trash = vi.fn(async (_path: string) => undefined);
  const files = await openWorkspaceFiles(root);
  const options = { files, ignore: createGitIgnore(root), manifest };
  const withTrash = createExplorerFiles({ ...options, host: { trash, revealInFileManager: null } });
  write('a.ts');
  expect(await withTrash.remove('a.ts')).toEqual({ permanent: false });
  expect(trash).toHaveBeenCalledWith(join(root, 'a.ts'));
  trash.mockRejectedValueOnce(new Error('no trash'));
  await expect(withTrash.remove('a.ts')).rejects.toMatchObject({ code: 'io_failed' });
  expect(existsSync(join(root, 'a.ts'))).toBe(true);
  await expect(withTrash.reveal('a.ts')).rejects.toMatchObject({ code: 'unsupported' });
});

test('quick open finds what git does not ignore and follows the watcher', async () => {
  write('.gitignore', 'dist\n');
  for (const path of ['src/app-shell.ts', 'dist/app-shell.js', '.github/ci.yml', '.git/app-shell'])
    write(path);
  expect(await explorer.find('appshell', 10)).toEqual(['src/app-shell.ts']);
  expect(await explorer.find('ci.yml', 10)).toEqual(['.github/ci.yml']);
  write('lib/app-shell.md');
  write('dist/app-shell-2.js');
  const created = (path: string) => ({ path, change: 'created' as const });
  manifest.apply({ paths: ['lib/app-shell.md', 'dist/app-shell-2.js'].map(created), overflow: false });
  expect((await explorer.find('app-shell', 10)).sort()).toEqual(['lib/app-shell.md', 'src/app-shell.ts']);
  manifest.apply({ paths: [{ path: 'src', change: 'removed' }], overflow: false });
  expect(await explorer.find('app-shell', 10)).toEqual(['lib/app-shell.md']);
  write('.gitignore', '');
  manifest.apply({ paths: [{ path: '.gitignore', change: 'changed' }], overflow: false });
  await expect.poll(() => explorer.find('app-shell', 10)).toContain('dist/app-shell.js');
});
