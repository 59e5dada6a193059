import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../../testing/start-core';

const edit = (path: string, old_string: string, new_string: string) =>
  calls('edit_file', { path, old_string, new_string });

async function start(
  script: NonNullable<Parameters<typeof startScriptedModel>[0]>['script'],
  files: Record<string, string>,
) {
  const model = await startScriptedModel({ script });
  const app = await startCore({ modelUrl: model.url, files, flag: 'edits' });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  const origins = async (path: string) =>
    (await app.core.changes.trace.origins(path)).origins.map(({ startLine, lines, set }) => [
      startLine,
      lines,
      set?.turn?.number ?? set?.author.kind ?? null,
    ]);
  return { app, origins };
}

test('each line tells the turn that wrote it, with its number, request and session', async () => {
  const { app, origins } = await start(
    [edit('a.txt', 'b', 'B'), 'Done.', edit('a.txt', 'd', 'D\nE'), 'Done.'],
    { 'a.txt': 'a\nb\nc\nd\n' },
  );
  await app.turn('first: make b large\nmore words');
  await app.turn('second');
  expect(await origins('a.txt')).toEqual([
    [1, 1, null],
    [2, 1, 1],
    [3, 1, null],
    [4, 2, 2],
  ]);
  const { origins: runs } = await app.core.changes.trace.origins('./a.txt');
  expect(runs[1]?.set).toMatchObject({
    author: { kind: 'agent', sessionId: app.session.id },
    turn: { number: 1, request: 'first: make b large', sessionTitle: 'first: make b large' },
  });
});

test('lines that nobody noted have no author, and a file without a log has none at all', async () => {
  const { app, origins } = await start([edit('a.txt', 'b', 'B'), 'Done.'], {
    'a.txt': 'a\nb\n',
    'other.txt': 'x\n',
    'empty.txt': '',
  });
  await app.turn('edit');
  await writeFile(join(app.project, 'a.txt'), 'a\nB\nc\n');
  expect((await origins('a.txt')).slice(0, 2)).toEqual([
    [1, 1, null],
    [2, 1, 1],
  ]);
  expect(await origins('other.txt')).toEqual([[1, 1, null]]);
  expect(await origins('empty.txt')).toEqual([]);
  expect(await app.core.changes.trace.origins('gone.txt')).toEqual({ hash: null, origins: [] });
});

test('a file that a turn moved keeps the authors of its lines', async () => {
  const { app, origins } = await start(
    [
      edit('a.txt', 'b', 'B'),
      'Done.',
      calls('apply_patch', {
        patch:
          '*** Begin Patch\n*** Update File: a.txt\n*** Move to: sub/b.txt\n@@\n B\n-c\n+C\n*** End Patch',
      }),
      'Done.',
    ],
    { 'a.txt': 'a\nb\nc\n' },
  );
  await app.turn('edit');
  await app.turn('move');
  expect(await origins('sub/b.txt')).toEqual([
    [1, 1, null],
    [2, 1, 1],
    [3, 1, 2],
  ]);
});

test('a binary file has no lines to tell of', async () => {
  const { app } = await start(['Done.'], { 'a.bin': 'a\0b' });
  await rename(join(app.project, 'a.bin'), join(app.project, 'b.bin'));
  expect((await app.core.changes.trace.origins('b.bin')).origins).toEqual([]);
});
