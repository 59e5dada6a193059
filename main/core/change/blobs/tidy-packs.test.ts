import { randomBytes } from 'node:crypto';
import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PathChange } from '../../../../shared/model/change';
import { openStore } from '../../store/open-store';
import { scratchFolder } from '../../testing/scratch-folder';
import { sha256 } from '../../workspace/workspace-files';
import { ContentKeeper } from '../baseline/content-keeper';
import { entryState } from '../log/capture-tree';
import { BlobKeeper } from './blob-keeper';
import { blobPath, BlobStore } from './blob-store';
import { packsFolder } from './packs';

const AGO = Date.now() / 1000 - 3600;
const BYTES = 1000;

async function start(limitBytes: number) {
  const dir = scratchFolder('lathe-tidy-');
  const [before, baselines] = [join(dir, 'before'), join(dir, 'baselines')];
  const store = openStore({ dataDir: dir });
  const blobs = new BlobStore(before);
  const errors: unknown[] = [];
  const keeper = new BlobKeeper({
    ...{ blobs, store: store.changes, baselines, limitBytes: () => limitBytes },
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await keeper.close();
    store.close();
    rmSync(dir, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });
  await mkdir(baselines);
  const all = Array.from({ length: 100 }, () => randomBytes(BYTES));
  const filler = new ContentKeeper(before);
  for (const bytes of all) filler.keep(bytes, sha256(bytes));
  filler.end();
  const packs = async () =>
    (await readdir(packsFolder(before))).map((name) => join(packsFolder(before), name));
  const age = async () => {
    for (const file of await packs()) await utimes(file, AGO, AGO);
  };
  await age();
  const project = store.projects.ensure('/p').id;
  const record = (bytes: Buffer, isReviewed = true) =>
    store.changes.record(project, {
      author: { kind: 'agent', sessionId: 's' as never, turnId: 't' as never, callId: 'c' as never },
      label: 'changed',
      changes: [PathChange.parse({ path: 'a', before: entryState('file', bytes, 0o644, true), after: null })],
      isReviewed,
    });
  const isKept = (id: string): boolean | undefined => store.changes.get(id)?.changes[0]?.before?.isKept;
  const baseline = async (name: string, some: Buffer[]): Promise<string> => {
    const file = join(baselines, name);
    await writeFile(file, some.map((bytes) => `{"p":"a","k":"file","h":"${sha256(bytes)}"}\n`).join(''));
    return file;
  };
  const load = async (bytes: Buffer): Promise<boolean> =>
    (await new BlobStore(before).load(sha256(bytes)))?.equals(bytes) === true;
  return { before, all, blobs, keeper, packs, age, record, isKept, baseline, load };
}

test('under the limit a pack stays, and it counts', async () => {
  const { keeper, packs, all, load } = await start(1e9);
  const tidied = await keeper.tidy();
  expect(tidied?.surplus).toEqual([]);
  expect(tidied?.totalBytes).toBeGreaterThan(100 * BYTES);
  expect(await packs()).toHaveLength(2);
  expect(await load(all[0] as Buffer)).toBe(true);
});

test('over the limit a pack that is not in use leaves what entries and reviews name, byte for byte', async () => {
  const { before, all, blobs, keeper, packs, record, isKept, baseline, load } = await start(20 * BYTES);
  const named = all.slice(0, 5);
  const entries = named.map((bytes, at) => record(bytes, at !== 0));
  const old = await baseline('old.jsonl', all);
  await utimes(old, 1, 1);
  expect(await blobs.load(sha256(all[3] as Buffer))).not.toBeNull();
  expect(await keeper.tidy()).toMatchObject({ totalBytes: 5 * BYTES, surplus: [] });
  expect(await packs()).toEqual([]);
  for (const bytes of named) expect(await load(bytes)).toBe(true);
  // A process that knew the pack finds them too.
  expect((await blobs.load(sha256(all[3] as Buffer)))?.equals(all[3] as Buffer)).toBe(true);
  expect(entries.map(({ id }) => isKept(id))).toEqual([true, true, true, true, true]);
  for (const bytes of all.slice(5)) expect(await load(bytes)).toBe(false);
  expect(await readdir(before)).toHaveLength(
    new Set(named.map((bytes) => sha256(bytes).slice(0, 2))).size + 1,
  );
});

test('a limit below what entries name: the oldest say that they are not kept; what a review needs stays', async () => {
  const { all, keeper, packs, record, isKept, load } = await start(3 * BYTES);
  const [waiting, ...entries] = all.slice(0, 5).map((bytes, at) => record(bytes, at !== 0));
  expect((await keeper.tidy())?.surplus).toHaveLength(2);
  expect(await packs()).toEqual([]);
  expect(isKept(waiting?.id as string)).toBe(true);
  expect(await load(all[0] as Buffer)).toBe(true);
  expect(entries.map(({ id }) => isKept(id))).toEqual([false, false, true, true]);
  for (const [at, { id }] of entries.entries()) expect(await load(all[at + 1] as Buffer)).toBe(isKept(id));
});

test('a pack of a project in use stays however small the limit, and no entry is told that its content is gone', async () => {
  const { all, blobs, keeper, packs, record, isKept, baseline, load } = await start(BYTES);
  const entry = record(all[0] as Buffer);
  // The content is there a second time, as a file of its own.
  await blobs.keep(all[0] as Buffer, sha256(all[0] as Buffer));
  await baseline('used.jsonl', all.slice(0, 60));
  expect(await keeper.tidy()).toMatchObject({ surplus: [] });
  expect(await packs()).toHaveLength(2);
  expect(isKept(entry.id)).toBe(true);
  for (const bytes of all) expect(await load(bytes)).toBe(true);
});

test('of a pack that a project in use hardly needs, only that part stays; a pack that was just made or needed stays whole', async () => {
  const { before, all, keeper, packs, age, baseline, load } = await start(BYTES);
  await baseline('used.jsonl', all.slice(0, 3));
  const again = new ContentKeeper(before);
  again.keep(all[9] as Buffer, sha256(all[9] as Buffer));
  again.end();
  await keeper.tidy();
  expect(await packs()).toHaveLength(2);
  await age();
  await keeper.tidy();
  expect(await packs()).toEqual([]);
  expect((await Promise.all(all.map(load))).filter(Boolean)).toHaveLength(3);
});

test('a damaged content of a pack that is taken apart: its entry says that it is not kept', async () => {
  const { all, keeper, packs, age, record, isKept, load } = await start(10 * BYTES);
  const [whole, torn] = [record(all[1] as Buffer), record(all[99] as Buffer)];
  const pack = (await packs()).find((file) => file.endsWith('.pack')) as string;
  truncateSync(pack, 99 * BYTES + 5);
  await age();
  expect((await keeper.tidy())?.surplus).toEqual([sha256(all[99] as Buffer)]);
  expect([isKept(whole.id), isKept(torn.id)]).toEqual([true, false]);
  expect(await load(all[1] as Buffer)).toBe(true);
});

test('what a process that died left: half a pack goes once it is old, a half taken apart one loses nothing', async () => {
  const { before, all, keeper, packs, record, load } = await start(20 * BYTES);
  const made = (name: string, seconds: number) => {
    const file = join(packsFolder(before), name);
    writeFileSync(file, 'half');
    utimesSync(file, seconds, seconds);
  };
  made('old.pack', AGO);
  made('older.idx.new', AGO);
  made('young.pack', Date.now() / 1000);
  // Taking apart ended behind its first content, and another one's file is torn.
  const [first, second] = all as [Buffer, Buffer];
  for (const bytes of [first, second]) record(bytes);
  const place = (bytes: Buffer) => blobPath(before, sha256(bytes));
  for (const [bytes, written] of [
    [first, first],
    [second, second.subarray(9)],
  ] as const) {
    await mkdir(join(place(bytes), '..'), { recursive: true });
    await writeFile(place(bytes), written);
  }
  await keeper.tidy();
  expect(await packs()).toEqual([join(packsFolder(before), 'young.pack')]);
  for (const bytes of [first, second]) expect(await load(bytes)).toBe(true);
});

test('a pack whose contents can not be written elsewhere stays as it is', async () => {
  const { before, all, keeper, packs, record, load } = await start(20 * BYTES);
  record(all[0] as Buffer);
  // A file where the folder would be.
  await writeFile(join(before, sha256(all[0] as Buffer).slice(0, 2)), 'no folder');
  expect(await keeper.tidy()).toMatchObject({ surplus: [] });
  expect(await packs()).toHaveLength(2);
  expect(await load(all[0] as Buffer)).toBe(true);
  await rm(join(before, sha256(all[0] as Buffer).slice(0, 2)));
  await keeper.tidy();
  expect(await packs()).toEqual([]);
  expect(await load(all[0] as Buffer)).toBe(true);
});
