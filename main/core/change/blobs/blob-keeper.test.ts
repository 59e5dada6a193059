import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PathChange } from '../../../../shared/model/change';
import { openStore } from '../../store/open-store';
import { scratchFolder } from '../../testing/scratch-folder';
import { sha256 } from '../../workspace/workspace-files';
import { entryState } from '../log/capture-tree';
import { BlobKeeper } from './blob-keeper';
import { blobPath, BlobStore } from './blob-store';

const text = (word: string, bytes: number): Buffer => Buffer.alloc(bytes, `${word} is kept\n`);
const noise = (bytes: number): Buffer => randomBytes(bytes);

function start(limitBytes: number) {
  const dir = scratchFolder('lathe-blobs-');
  const store = openStore({ dataDir: dir });
  const project = store.projects.ensure('/p').id;
  const blobs = new BlobStore(join(dir, 'before'));
  const errors: unknown[] = [];
  const keeper = new BlobKeeper({
    ...{ blobs, store: store.changes, baselines: join(dir, 'baselines') },
    limitBytes: () => limitBytes,
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await keeper.close();
    store.close();
    rmSync(dir, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });
  const record = async (before: Buffer, isReviewed: boolean, kind: 'user' | 'agent' = 'user') => {
    await blobs.keep(before, sha256(before));
    return store.changes.record(project, {
      author:
        kind === 'user'
          ? { kind }
          : { kind, sessionId: 's' as never, turnId: 't' as never, callId: 'c' as never },
      label: 'changed',
      changes: [
        PathChange.parse({ path: 'a', before: entryState('file', before, 0o644, true), after: null }),
      ],
      isReviewed,
    });
  };
  return { dir, store, blobs, keeper, record };
}

test('contents from 4 KB on are packed and come back byte for byte, also in another process', async () => {
  const { blobs, keeper, record } = start(1e9);
  const [large, small, hard] = [text('large', 50_000), text('small', 100), noise(50_000)];
  for (const bytes of [large, small, hard]) await record(bytes, true);
  expect(await keeper.tidy()).toMatchObject({ packed: 1, surplus: [] });
  const folder = join(blobs.dir, sha256(large).slice(0, 2));
  expect(await readdir(folder)).toContain(`${sha256(large)}.z`);
  expect(existsSync(blobPath(blobs.dir, sha256(large)))).toBe(false);
  for (const bytes of [large, small, hard])
    expect((await new BlobStore(blobs.dir).load(sha256(bytes)))?.equals(bytes)).toBe(true);
  await new BlobStore(blobs.dir).keep(large, sha256(large));
  expect((await blobs.load(sha256(large)))?.equals(large)).toBe(true);
  expect(await keeper.tidy()).toMatchObject({ packed: 1 });
});

test('contents that no entry names stay as they are', async () => {
  const { blobs, keeper } = start(1e9);
  const large = text('large', 50_000);
  await blobs.keep(large, sha256(large));
  expect(await keeper.tidy()).toMatchObject({ packed: 0, surplus: [] });
  expect(existsSync(blobPath(blobs.dir, sha256(large)))).toBe(true);
});

test('a crash in the middle of packing leaves the plain content; a damaged packed one counts as missing', async () => {
  const { blobs, keeper, record } = start(1e9);
  const large = text('large', 50_000);
  await record(large, true);
  const packed = `${blobPath(blobs.dir, sha256(large))}.z`;
  await writeFile(`${packed}.new`, 'torn');
  await writeFile(packed, 'torn');
  expect((await blobs.load(sha256(large)))?.equals(large)).toBe(true);
  await keeper.tidy();
  expect((await blobs.load(sha256(large)))?.equals(large)).toBe(true);
  await writeFile(packed, 'torn');
  expect(await blobs.load(sha256(large))).toBeNull();
});

test('over the limit go contents nobody names, then those of the oldest entries, which say so; never what a review needs', async () => {
  const { dir, store, blobs, keeper, record } = start(70_000);
  const [pending, old, newer, known, nobodys] = [1, 2, 3, 4, 5].map((n) => noise(30_000 + n)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const waiting = await record(pending, false, 'agent');
  const first = await record(old, true);
  const second = await record(newer, true);
  for (const bytes of [known, nobodys]) await blobs.keep(bytes, sha256(bytes));
  await utimes(blobPath(blobs.dir, sha256(nobodys)), 1, 1);
  await mkdir(join(dir, 'baselines'));
  await writeFile(join(dir, 'baselines', 'p.jsonl'), `{"p":"a","k":"file","h":"${sha256(known)}"}\n`);
  await keeper.tidy();
  expect(await blobs.load(sha256(nobodys))).toBeNull();
  expect(await blobs.load(sha256(old))).toBeNull();
  expect(store.changes.get(first.id)?.changes[0]?.before?.isKept).toBe(false);
  expect((await blobs.load(sha256(pending)))?.equals(pending)).toBe(true);
  expect(store.changes.get(waiting.id)?.changes[0]?.before?.isKept).toBe(true);
  expect((await blobs.load(sha256(known)))?.equals(known)).toBe(true);
  expect(store.changes.get(second.id)?.changes[0]?.before?.isKept).toBe(false);
  // What was collected is written anew when it is kept again.
  await blobs.keep(old, sha256(old));
  expect((await blobs.load(sha256(old)))?.equals(old)).toBe(true);
});
