import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../testing/scratch-folder';
import { sha256 } from '../../workspace/workspace-files';
import { BlobStore } from '../blobs/blob-store';
import type { WriteMany } from '../blobs/pack-writer';
import { createEngine } from './baseline-engine';
import { ContentKeeper } from './content-keeper';
import { ProjectTree, type Help } from './project-tree';
import { askFromEnd } from './stat-list';
import type { FolderNode, LeafEntry } from './tree-entry';

function project(files: number) {
  const dir = scratchFolder('lathe-tree-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const root = join(dir, 'p');
  for (let at = 0; at < files; at += 1) {
    if (at % 50 === 0) mkdirSync(join(root, `d${at / 50}`), { recursive: true });
    writeFileSync(join(root, `d${Math.floor(at / 50)}`, `f${at}`), `${at}\n`);
  }
  return {
    root,
    dir,
    tree: (help: Help | null) => new ProjectTree(root, new ContentKeeper(join(dir, 'b')), CAPS, help),
  };
}

const leaves = (node: FolderNode): LeafEntry[] =>
  [...node.entries.values()].flatMap((entry) => {
    if (entry.kind === 'folder') return leaves(entry);
    return entry.kind === 'closed' ? [] : [entry];
  });

const CAPS = { files: 50_000, bytes: 1e9 };

test.each(['all', 'late'] as const)(
  'a second thread that is %s done finds the same as one thread alone',
  async (pace) => {
    const { root, tree } = project(1200);
    let helped = 0;
    const late: (() => void)[] = [];
    const helpedTree = tree((_list, all) => {
      helped += 1;
      if (pace === 'late') late.push(() => askFromEnd(all));
      else askFromEnd(all);
    });
    await helpedTree.sweep();
    // What was written in the moment of the look is read again by the next ones.
    for (let look = 0; look < 3; look += 1) {
      expect((await helpedTree.sweep()).differences).toEqual([]);
      late.splice(0).forEach((work) => work());
    }
    writeFileSync(join(root, 'd0', 'f0'), 'first\n');
    writeFileSync(join(root, 'd23', 'f1199'), 'last\n');
    writeFileSync(join(root, 'd11', 'new'), 'new\n');
    rmSync(join(root, 'd12'), { recursive: true });
    const { differences } = await helpedTree.sweep();
    expect(helped).toBeGreaterThan(1);
    expect(differences.map(({ path }) => path).sort()).toEqual(
      ['d0/f0', 'd11/new', 'd23/f1199', ...Array.from({ length: 50 }, (_, at) => `d12/f${600 + at}`)].sort(),
    );
    expect((await helpedTree.sweep()).differences).toEqual([]);
  },
);

test('a disk that is full in the middle of a look: what was found says that it is not kept, until it is', async () => {
  const { root, dir } = project(200);
  let isFull = true;
  const write: WriteMany = (fd, buffers) => {
    if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return writevSync(fd, buffers);
  };
  const tree = new ProjectTree(root, new ContentKeeper(join(dir, 'b'), write), CAPS);
  const first = await tree.sweep();
  expect(first.differences).toHaveLength(200);
  expect(first.differences.every(({ after }) => after?.isKept === false)).toBe(true);
  expect(leaves(tree.root).every(({ isKept }) => !isKept)).toBe(true);
  expect(readdirSync(join(dir, 'b', 'packs'))).toEqual([]);
  isFull = false;
  for (let at = 0; at < 100; at += 1)
    writeFileSync(join(root, `d${Math.floor(at / 50)}`, `f${at}`), `${at} is another one\n`);
  const { differences } = await tree.sweep();
  expect(differences.filter(({ before, after }) => !before?.isKept && after?.isKept)).toHaveLength(100);
});

test('a project that is opened again knows what its packs have, and reads what they lost', async () => {
  const { root, dir } = project(200);
  const options = { root, recordFile: join(dir, 'record'), blobDir: join(dir, 'b'), caps: CAPS };
  const first = createEngine(options);
  await first.ready();
  await first.commit(1);
  const packs = (): string[] => readdirSync(join(dir, 'b', 'packs'));
  expect(packs()).toHaveLength(2);
  utimesSync(options.recordFile, 1, 1);
  const again = createEngine(options);
  expect(await again.ready()).toMatchObject({ seq: 1 });
  expect(await again.sweep()).toEqual({ differences: [], touched: [] });
  expect(packs()).toHaveLength(2);
  // Its contents must not be collected: it says that it is in use.
  expect(statSync(options.recordFile).mtimeMs).toBeGreaterThan(Date.now() - 3_600_000);
  const [lost] = packs();
  for (const name of packs()) rmSync(join(dir, 'b', 'packs', name));
  const third = createEngine(options);
  await third.ready();
  expect((await third.sweep()).differences).toEqual([]);
  expect(packs()).toHaveLength(2);
  expect(packs()).not.toContain(lost);
  const bytes = await new BlobStore(join(dir, 'b')).load(sha256(Buffer.from('77\n')));
  expect(bytes?.toString()).toBe('77\n');
});

test('a project folder that is gone for a while has not lost its files', async () => {
  const { root, tree } = project(10);
  const one = tree(null);
  await one.sweep();
  rmSync(root, { recursive: true });
  expect(await one.sweep()).toEqual({ differences: [], touched: [] });
});

test('8,000 files: a first look, and looks at what is known', async () => {
  const { tree } = project(8000);
  const one = tree(null);
  const cpu = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const first = await cpu(() => one.sweep());
  await one.sweep();
  const looks: number[] = [];
  for (let look = 0; look < 5; look += 1) looks.push(await cpu(() => one.sweep()));
  console.log(
    `8,000 files: first look ${first.toFixed(0)} ms, then ${Math.min(...looks).toFixed(1)} ms of CPU`,
  );
  expect(one.size).toBe(8000);
});
