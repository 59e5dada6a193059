import { chmod, lstat, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PathChange } from '../../../../shared/model/change';
import { CallId } from '../../../../shared/model/ids';
import { sha256 } from '../../workspace/workspace-files';
import { lookAt } from '../undo/look';
import { ALL, startReview } from './testing/review-bench';

type Bench = Awaited<ReturnType<typeof startReview>>;

/** A command of the last turn that changes one path; the log learns of it as from the recorder. */
async function command(bench: Bench, path: string, change: () => Promise<unknown>): Promise<void> {
  const { core, session } = bench.app;
  const { files } = core.requireProject();
  const state = async () => {
    const now = await lookAt(files, path);
    const held = 'held' in now ? now.held : null;
    if (held === null) return null;
    const { kind, bytes, hash, mode } = held;
    return { kind, hash, mode, sizeBytes: bytes.length, isKept: await core.changes.blobs.keep(bytes, hash) };
  };
  const before = await state();
  await change();
  const turnId = core.catalog.runtime(session.id).view.items.at(-1)?.turnId;
  if (turnId === undefined) throw new Error('no turn');
  core.changes.log.record({
    author: {
      kind: 'command',
      sessionId: session.id,
      turnId,
      callId: CallId.parse('call_9'),
      command: 'make',
    },
    label: 'make',
    changes: [PathChange.parse({ path, before, after: await state() })],
  });
}

test('a binary file is reviewed as a whole', async () => {
  const old = Buffer.from([0, 1, 2, 255]);
  const bench = await startReview(['Done.'], { 'a.bin': old });
  await bench.app.turn('go');
  await command(bench, 'a.bin', () => writeFile(bench.path('a.bin'), Buffer.from([0, 9])));
  expect(await bench.review.pending(ALL)).toMatchObject([
    {
      path: 'a.bin',
      change: 'modify',
      isOpaque: true,
      hunkCount: 0,
      canReject: true,
      turns: [{ number: 1 }],
    },
  ]);
  expect(await bench.review.pendingFile('a.bin', ALL)).toMatchObject({
    base: null,
    current: null,
    hunks: [],
  });
  await bench.reject('a.bin');
  expect(await bench.bytes('a.bin')).toEqual(old);
  expect(await bench.pending()).toEqual([]);
  await command(bench, 'a.bin', () => writeFile(bench.path('a.bin'), Buffer.from([0, 7])));
  await bench.accept('a.bin');
  expect(await bench.pending()).toEqual([]);
});

test('permissions alone wait for review too', async () => {
  const bench = await startReview(['Done.'], { 'run.sh': 'echo\n' });
  await chmod(bench.path('run.sh'), 0o644);
  await bench.app.turn('go');
  await command(bench, 'run.sh', () => chmod(bench.path('run.sh'), 0o755));
  expect(await bench.review.pending(ALL)).toMatchObject([{ path: 'run.sh', isOpaque: true, hunkCount: 0 }]);
  await bench.reject('run.sh');
  expect((await stat(bench.path('run.sh'))).mode & 0o777).toBe(0o644);
  expect(await bench.pending()).toEqual([]);
});

test('line endings alone wait for review, and go back to the byte', async () => {
  const bench = await startReview(['Done.'], { 'a.txt': 'a\r\nb\r\n' });
  await bench.app.turn('go');
  await command(bench, 'a.txt', () => writeFile(bench.path('a.txt'), 'a\nb\n'));
  expect(await bench.review.pending(ALL)).toMatchObject([{ path: 'a.txt', isOpaque: true, hunkCount: 0 }]);
  await bench.reject('a.txt');
  expect(await bench.app.read('a.txt')).toBe('a\r\nb\r\n');
});

test('a user who converts the line endings keeps them when a hunk is rejected', async () => {
  const bench = await startReview(['Done.'], { 'a.txt': 'a\nb\nc\n' });
  await bench.app.turn('go');
  await command(bench, 'a.txt', () => writeFile(bench.path('a.txt'), 'a\nB\nc\n'));
  await writeFile(bench.path('a.txt'), 'a\r\nB\r\nc\r\n');
  expect(await bench.lines('a.txt')).toEqual(['-b +B']);
  await bench.reject('a.txt');
  expect(await bench.app.read('a.txt')).toBe('a\r\nb\r\nc\r\n');
});

test('a deleted file comes back with its permissions, a link with its target, an empty file goes', async () => {
  const bench = await startReview(['Done.'], { 'run.sh': 'echo\n', 'target.txt': 't\n' });
  await chmod(bench.path('run.sh'), 0o750);
  await symlink('target.txt', bench.path('link'));
  await bench.app.turn('go');
  await command(bench, 'run.sh', () => rm(bench.path('run.sh')));
  await command(bench, 'link', () => rm(bench.path('link')));
  await command(bench, 'empty', () => writeFile(bench.path('empty'), ''));
  expect(await bench.pending()).toEqual(['create empty 0', 'delete link 0', 'delete run.sh 1']);
  await bench.reject(null);
  expect((await stat(bench.path('run.sh'))).mode & 0o777).toBe(0o750);
  expect(await bench.app.read('run.sh')).toBe('echo\n');
  expect((await lstat(bench.path('link'))).isSymbolicLink()).toBe(true);
  expect(await readlink(bench.path('link'))).toBe('target.txt');
  await expect(stat(bench.path('empty'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await bench.pending()).toEqual([]);
});

test('a file whose former content is not kept can be accepted only', async () => {
  const bench = await startReview(['Done.'], { 'a.txt': 'new\n' });
  await bench.app.turn('go');
  const { core, session } = bench.app;
  const turnId = core.catalog.runtime(session.id).view.items.at(-1)?.turnId;
  if (turnId === undefined) throw new Error('no turn');
  const side = (text: string, isKept: boolean) => ({
    ...{ kind: 'file', hash: sha256(Buffer.from(text)), mode: 0o644, sizeBytes: text.length, isKept },
  });
  core.changes.log.record({
    author: {
      kind: 'command',
      sessionId: session.id,
      turnId,
      callId: CallId.parse('call_9'),
      command: 'make',
    },
    label: 'make',
    changes: [PathChange.parse({ path: 'a.txt', before: side('lost\n', false), after: side('new\n', true) })],
  });
  expect(await bench.review.pending(ALL)).toMatchObject([
    { path: 'a.txt', isOpaque: true, canReject: false },
  ]);
  const { result } = await bench.reject('a.txt');
  expect(result).toMatchObject({ setId: null, files: [{ path: 'a.txt', outcome: 'not_kept' }] });
  await bench.accept('a.txt');
  expect(await bench.pending()).toEqual([]);
});

test('files that the user renamed or deleted since are followed', async () => {
  const bench = await startReview(['Done.'], { 'a.txt': 'a\nb\n', 'b.txt': 'x\n' });
  await bench.app.turn('go');
  await command(bench, 'a.txt', () => writeFile(bench.path('a.txt'), 'a\nB\n'));
  await command(bench, 'b.txt', () => writeFile(bench.path('b.txt'), 'y\n'));
  const { explorer } = await bench.app.core.requireProject().desk();
  await explorer.move('a.txt', 'c.txt');
  await rm(bench.path('b.txt'));
  expect(await bench.pending()).toEqual(['modify c.txt 1']);
  await bench.reject('c.txt');
  expect(await bench.app.read('c.txt')).toBe('a\nb\n');
  expect(await bench.pending()).toEqual([]);
});

test('review of 300 hunks in 30 files', async () => {
  const text = Array.from({ length: 400 }, (_, at) => `line ${at}`);
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`f${at}.txt`, `${text.join('\n')}\n`]),
  );
  const bench = await startReview(['Done.'], files);
  await bench.app.turn('go');
  const changed = text.map((line, at) => (at % 40 === 5 ? `${line} changed` : line));
  for (const path of Object.keys(files))
    await command(bench, path, () => writeFile(bench.path(path), `${changed.join('\n')}\n`));
  const used = process.cpuUsage();
  const start = performance.now();
  const found = await bench.review.pending(ALL);
  const took = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  expect(found.reduce((sum, { hunkCount }) => sum + hunkCount, 0)).toBe(300);
  const again = performance.now();
  await bench.review.pending(ALL);
  console.log(
    `300 hunks in 30 files: ${took.toFixed(0)} ms, ${Math.round((user + system) / 1000)} ms of CPU; ` +
      `once more ${(performance.now() - again).toFixed(0)} ms`,
  );
});

test('two decisions at once are both done', async () => {
  const bench = await startReview(['Done.'], { 'a.txt': 'a\nb\nc\nd\ne\nf\n' });
  await bench.app.turn('go');
  await command(bench, 'a.txt', () => writeFile(bench.path('a.txt'), 'A\nb\nC\nd\nE\nf\n'));
  const [first, second, third] = await bench.hunks('a.txt');
  await Promise.all([
    bench.accept('a.txt', [first?.id ?? '']),
    bench.reject('a.txt', [second?.id ?? '']),
    bench.accept('a.txt', [third?.id ?? '']),
  ]);
  expect(await bench.pending()).toEqual([]);
  expect(await bench.app.read('a.txt')).toBe('A\nb\nc\nd\nE\nf\n');
});
