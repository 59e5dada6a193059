import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkspaceFiles, sha256 } from '../../workspace/workspace-files';
import { keepBeforeImages } from '../before-images';
import { BlobStore } from './blob-store';

async function start() {
  const base = await mkdtemp(join(tmpdir(), 'before-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [project, dir] = [join(base, 'project'), join(base, 'images')];
  const images = new BlobStore(dir);
  await mkdir(project);
  await writeFile(join(project, 'a'), 'one');
  return { project, dir, images, files: await openWorkspaceFiles(project) };
}

const bytes = (text: string): Buffer => Buffer.from(text);
const hash = (text: string): string => sha256(bytes(text));
const place = (dir: string, text: string): string => join(dir, hash(text).slice(0, 2), hash(text));

test('an image is stored once under its hash and found by another process', async () => {
  const { dir, images } = await start();
  await images.keep(bytes('one'), hash('one'));
  await images.keep(bytes('one'), hash('one'));
  const other = new BlobStore(dir);
  await other.keep(bytes('one'), hash('one'));
  expect(await other.load(hash('one'))).toEqual(bytes('one'));
  expect(await readdir(join(dir, hash('one').slice(0, 2)))).toEqual([hash('one')]);
  expect(await images.load('../../etc/passwd')).toBeNull();
});

test('an image that a dying process left torn is replaced, and until then counts as missing', async () => {
  const { dir, images } = await start();
  await images.keep(bytes('one'), hash('one'));
  await writeFile(place(dir, 'one'), 'o');
  const later = new BlobStore(dir);
  expect(await later.load(hash('one'))).toBeNull();
  await later.keep(bytes('one'), hash('one'));
  expect(await later.load(hash('one'))).toEqual(bytes('one'));
  expect(await readdir(join(dir, hash('one').slice(0, 2)))).toEqual([hash('one')]);
});

test('faults 1.4: the old bytes are replaced only after their image is stored', async () => {
  const { project, images, files } = await start();
  let seen: unknown = null;
  const watched = {
    ...files,
    writeBytes: (...[path, content, conditions]: Parameters<typeof files.writeBytes>) => {
      const after = Promise.resolve(conditions?.after).then(async () => {
        seen = [await images.load(hash('one')), await readFile(join(project, 'a'), 'utf8')];
      });
      return files.writeBytes(path, content, { ...conditions, after });
    },
  };
  await keepBeforeImages(watched, images).writeBytes('a', bytes('two'), { expectedHash: hash('one') });
  expect(seen).toEqual([bytes('one'), 'one']);
  expect(await readFile(join(project, 'a'), 'utf8')).toBe('two');
});

test('what a write passes on its way is kept as well', async () => {
  const { images, files } = await start();
  await keepBeforeImages(files, images).writeBytes('a', bytes('three'), { passed: [bytes('two')] });
  expect(await images.load(hash('one'))).toEqual(bytes('one'));
  expect(await images.load(hash('two'))).toEqual(bytes('two'));
  // What the write leaves is kept too, behind its back.
  await images.idle();
  expect(await new BlobStore(images.dir).load(hash('three'))).toEqual(bytes('three'));
});

test('an image that can not be kept stops no write', async () => {
  const { project, dir, files } = await start();
  await writeFile(dir, 'no folder');
  await keepBeforeImages(files, new BlobStore(dir)).writeBytes('a', bytes('two'));
  expect(await readFile(join(project, 'a'), 'utf8')).toBe('two');
});

test('what is kept lazily can be loaded at once, and is whole on the disk when the store is idle', async () => {
  const { dir, images } = await start();
  const kept = images.keep(bytes('lazy'), hash('lazy'), { lazy: true });
  expect(await images.load(hash('lazy'))).toEqual(bytes('lazy'));
  expect(await kept).toBe(true);
  await images.idle();
  expect(await new BlobStore(dir).load(hash('lazy'))).toEqual(bytes('lazy'));
  expect(await readdir(join(dir, hash('lazy').slice(0, 2)))).toEqual([hash('lazy')]);
});

test('contents over 5 MB are not kept, and that is said', async () => {
  const { images } = await start();
  const large = Buffer.alloc(5 * 1024 * 1024 + 1);
  expect(await images.keep(large, sha256(large))).toBe(false);
  expect(await images.keep(large, sha256(large), { lazy: true })).toBe(false);
  expect(await images.load(sha256(large))).toBeNull();
});
