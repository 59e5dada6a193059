import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startCore } from '../../testing/start-core';
import { changedSince } from './changed-since';

const edit = (path: string, old_string: string, new_string: string) =>
  calls('edit_file', { path, old_string, new_string });

test('a receipt tells what the turn did and goes stale when a file it covers changes', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('run_command', { command: 'test -f a.txt' }),
      edit('a.txt', 'one', 'two'),
      edit('b.txt', 'x', 'y'),
      calls('run_command', { command: 'exit 3' }),
      calls('attempt_completion', { result: 'I changed `a.txt` and `b.txt`. All tests pass.' }),
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n', 'b.txt': 'x\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { end, view } = await app.turn('Change a.txt and b.txt');
  const { receipt } = end;
  expect(receipt?.files.map(({ path, change, additions }) => [path, change, additions])).toEqual([
    ['a.txt', 'modify', 1],
    ['b.txt', 'modify', 1],
  ]);
  expect(receipt?.commandsBefore.map(({ command, exitCode }) => [command, exitCode])).toEqual([
    ['test -f a.txt', 0],
  ]);
  expect(receipt?.commandsAfterLastEdit.map(({ command, exitCode }) => [command, exitCode])).toEqual([
    ['exit 3', 3],
  ]);
  expect(receipt?.claims.map(({ kind, supported }) => [kind, supported])).toEqual([
    ['edited', true],
    ['checks', false],
  ]);
  expect(view.items.at(-1)).toMatchObject({ kind: 'end', receipt: { version: 1 } });

  const covered = (receipt?.files ?? []).map(({ path, afterHash }) => ({ path, hash: afterHash }));
  const { files } = app.core.requireProject();
  expect(await changedSince(files, covered)).toEqual([]);
  await writeFile(join(app.project, 'b.txt'), 'z\n');
  expect(await changedSince(files, covered)).toEqual(['b.txt']);
  await writeFile(join(app.project, 'b.txt'), 'y\n');
  expect(await changedSince(files, covered)).toEqual([]);
  await rm(join(app.project, 'a.txt'));
  expect(await changedSince(files, covered)).toEqual(['a.txt']);
  expect(await changedSince(files, [{ path: '../outside', hash: null }])).toEqual(['../outside']);
});

test('a turn that only talks has no receipt', async () => {
  await using model = await startScriptedModel({ script: ['Hello.'] });
  await using app = await startCore({ modelUrl: model.url });
  expect((await app.turn('hi')).end.receipt).toBeUndefined();
});

test('a stopped turn still tells what it changed', async () => {
  await using model = await startScriptedModel({
    script: [edit('a.txt', 'one', 'two'), { text: 'And now the next', holdAfterChars: 4 }],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const shown = app.event((event) => event.type === 'text.delta');
  const ended = app.event((event) => event.type === 'turn.finished');
  app.core.turns.start({ sessionId: app.session.id, text: 'Change a.txt' });
  await shown;
  await app.core.turns.stop(app.session.id);
  expect(await ended).toMatchObject({ reason: 'stopped', receipt: { files: [{ path: 'a.txt' }] } });
});
