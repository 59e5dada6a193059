import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { sha256 } from '../../workspace/workspace-files';
import { ContentKeeper } from '../baseline/content-keeper';
import { BlobStore } from './blob-store';
import { encodePackIndex, PackIndex } from './pack-index';
import type { WriteMany } from './pack-writer';
import { packsFolder } from './packs';

function start(writeMany?: WriteMany) {
  const dir = scratchFolder('lathe-packs-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { dir, keeper: new ContentKeeper(dir, writeMany) };
}

const contents = (count: number, word = 'content'): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.from(`${word} ${at}\n`.repeat(at + 1)));
const keepAll = (keeper: ContentKeeper, all: Buffer[]): boolean[] =>
  all.map((bytes) => keeper.keep(bytes, sha256(bytes)));
const packsIn = async (dir: string, ending: string): Promise<string[]> => {
  const names = await readdir(packsFolder(dir)).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).map((name) => join(packsFolder(dir), name));
};
const loaded = async (dir: string, all: Buffer[]): Promise<number> => {
  const store = new BlobStore(dir);
  const found = await Promise.all(all.map((bytes) => store.load(sha256(bytes))));
  return found.filter((bytes, at) => bytes?.equals(all[at] as Buffer)).length;
};

test('many contents of one look are one pack, and each comes back; few are files of their own', async () => {
  const { dir, keeper } = start();
  const [many, few] = [[Buffer.alloc(0), ...contents(300)], contents(63, 'few')];
  expect(keepAll(keeper, [...many, ...many]).every(Boolean)).toBe(true);
  expect([...keeper.end()]).toEqual([]);
  expect(await readdir(dir)).toEqual(['packs']);
  expect(await packsIn(dir, '.pack')).toHaveLength(1);
  expect((await readFile((await packsIn(dir, '.pack'))[0] as string)).length).toBe(
    many.reduce((sum, { length }) => sum + length, 0),
  );
  keepAll(keeper, few);
  keeper.end();
  expect(await packsIn(dir, '')).toHaveLength(2);
  expect(await loaded(dir, [...many, ...few])).toBe(many.length + few.length);
});

test('what another process put into a pack is found, is not kept twice, and is missed once the pack is gone', async () => {
  const { dir, keeper } = start();
  const [all, more] = [contents(100), contents(100, 'more')];
  const [store, other] = [new BlobStore(dir), new ContentKeeper(dir)];
  expect(await store.load(sha256(all[7] as Buffer))).toBeNull();
  keepAll(keeper, all);
  expect(other.isThere(sha256(all[7] as Buffer), 64)).toBe(false);
  // Nothing is there for others before the look is over.
  expect(await store.load(sha256(all[7] as Buffer))).toBeNull();
  keeper.end();
  other.end();
  expect(other.isThere(sha256(all[7] as Buffer), 64)).toBe(true);
  expect((await store.load(sha256(all[7] as Buffer)))?.equals(all[7] as Buffer)).toBe(true);
  keepAll(other, [...all, ...more]);
  other.end();
  expect(await packsIn(dir, '.pack')).toHaveLength(2);
  expect(await loaded(dir, [...all, ...more])).toBe(200);
  for (const file of await packsIn(dir, '')) rmSync(file);
  expect(await store.load(sha256(all[7] as Buffer))).toBeNull();
  keeper.keep(all[7] as Buffer, sha256(all[7] as Buffer));
  keeper.end();
  expect((await store.load(sha256(all[7] as Buffer)))?.equals(all[7] as Buffer)).toBe(true);
});

test('of a pack that a power cut tore, the whole contents come back; the others count as not kept and are kept anew', async () => {
  const { dir, keeper } = start();
  const all = contents(100);
  keepAll(keeper, all);
  keeper.end();
  const [pack] = await packsIn(dir, '.pack');
  truncateSync(pack as string, all.slice(0, 70).reduce((sum, { length }) => sum + length, 0) + 3);
  expect(await loaded(dir, all)).toBe(70);
  const next = new ContentKeeper(dir);
  expect(all.filter((bytes) => next.isThere(sha256(bytes), bytes.length))).toHaveLength(70);
  // Bytes of the right length that are other ones.
  const bytes = await readFile(pack as string);
  bytes.fill(0, 0, (all[0]?.length ?? 0) + 2);
  await writeFile(pack as string, bytes);
  expect(await loaded(dir, all)).toBe(68);
  keepAll(next, all);
  next.end();
  expect(await loaded(dir, all)).toBe(100);
});

test('a pack without an index, or with a torn one, counts for nothing', async () => {
  const { dir, keeper } = start();
  const all = contents(100);
  keepAll(keeper, all);
  keeper.end();
  const [index] = await packsIn(dir, '.idx');
  const whole = await readFile(index as string);
  for (const torn of [whole.subarray(0, -42), whole.subarray(0, 20), Buffer.alloc(whole.length)]) {
    writeFileSync(index as string, torn);
    expect(await loaded(dir, all)).toBe(0);
    expect(new ContentKeeper(dir).isThere(sha256(all[3] as Buffer), 44)).toBe(false);
  }
  rmSync(index as string);
  expect(await loaded(dir, all)).toBe(0);
  writeFileSync(index as string, whole);
  await utimes(index as string, 1, 1);
  expect(await loaded(dir, all)).toBe(100);
});

test.each([1, 2, 3])(
  'a disk that is full at write %i: the pack is not kept, the look goes on',
  async (nth) => {
    const { writevSync } = await import('node:fs');
    let writes = 0;
    const { dir, keeper } = start((fd, buffers) => {
      writes += 1;
      // The kernel takes a part and says so.
      return writes === nth ? writevSync(fd, [Buffer.alloc(10)]) : writevSync(fd, buffers);
    });
    const all = Array.from({ length: 100 }, (_, at) => Buffer.alloc(30_000, `${at} `));
    expect(keepAll(keeper, all).every(Boolean)).toBe(true);
    const lost = keeper.end();
    expect(await packsIn(dir, '')).toEqual([]);
    const kept = all.filter((bytes) => !lost.has(sha256(bytes)));
    expect(await loaded(dir, all)).toBe(kept.length);
    expect(kept.length).toBe(nth === 1 ? 30 : 0);
    // The next look finds room.
    keepAll(keeper, all);
    expect(keeper.end().size).toBe(0);
    expect(await loaded(dir, all)).toBe(100);
  },
);

test('an index finds what it was made of, and nothing else', () => {
  const names = contents(1000).map(sha256);
  const spans = new Map(names.map((hash, at) => [hash, { offset: at * 2 ** 33, length: at }]));
  const index = PackIndex.parse(encodePackIndex(spans), 2 ** 44);
  for (const [hash, span] of spans) expect(index?.find(hash)).toEqual(span);
  expect(index?.find(sha256(Buffer.from('other')))).toBeNull();
  expect(index?.find('no hash')).toBeNull();
  expect([...(index?.all() ?? [])].map(({ hash }) => hash)).toEqual(names.toSorted());
  expect(PackIndex.parse(encodePackIndex(new Map()), 0)?.size).toBe(0);
});
