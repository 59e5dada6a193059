import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../../testing/start-core';
import { sha256 } from '../../workspace/workspace-files';

const hash = (text: string): string => sha256(Buffer.from(text));

test('saving in the editor is an entry of the user with both sides', async () => {
  await using model = await startScriptedModel({ script: [] });
  await using app = await startCore({ files: { 'a.ts': 'one\n' }, modelUrl: model.url });
  await chmod(join(app.project, 'a.ts'), 0o755);
  const { explorer } = await app.core.requireProject().desk();
  const { log, blobs } = app.core.changes;
  const save = (path: string, text: string, baseHash: string | null) =>
    explorer.save({ path, text, baseHash, overwrite: false });
  await save('a.ts', 'two\n', hash('one\n'));
  await save('new.ts', 'made\n', null);
  expect(await save('a.ts', 'two\n', hash('two\n'))).toMatchObject({ kind: 'saved' });
  expect(await save('a.ts', 'three\n', hash('one\n'))).toMatchObject({ kind: 'conflict' });
  expect(log.list({})).toMatchObject([
    {
      author: { kind: 'user' },
      label: 'Created `new.ts`',
      changes: [{ path: 'new.ts', before: null, after: { hash: hash('made\n') } }],
    },
    {
      author: { kind: 'user' },
      label: 'Saved `a.ts`',
      changes: [
        {
          path: 'a.ts',
          before: { hash: hash('one\n'), mode: 0o755, sizeBytes: 4, isKept: true },
          after: { hash: hash('two\n'), mode: 0o755, sizeBytes: 4, isKept: true },
        },
      ],
    },
  ]);
  expect((await blobs.load(hash('one\n')))?.toString()).toBe('one\n');
});

test('creating, moving and deleting in the explorer are entries for every file, link and empty folder', async () => {
  await using model = await startScriptedModel({ script: [] });
  await using app = await startCore({
    files: { 'dir/a.ts': 'a\n', 'dir/sub/b.ts': 'b\n', 'dir/.git/HEAD': 'x', 'c.ts': 'c\n' },
    modelUrl: model.url,
  });
  await mkdir(join(app.project, 'dir/empty'));
  await symlink('a.ts', join(app.project, 'dir/link'));
  const { explorer } = await app.core.requireProject().desk();
  const { log, blobs } = app.core.changes;
  await explorer.create('made', 'folder');
  await explorer.create('made/file', 'file');
  await explorer.move('c.ts', 'made/d.ts');
  await explorer.move('dir', 'moved');
  await explorer.remove('moved');
  const [removed, moved, one, file, folder] = log.list({});
  expect(folder?.changes).toMatchObject([{ path: 'made', before: null, after: { kind: 'folder' } }]);
  expect(file?.changes).toMatchObject([{ path: 'made/file', before: null, after: { sizeBytes: 0 } }]);
  expect(one?.changes).toMatchObject([
    { path: 'c.ts', before: { hash: hash('c\n') }, after: null },
    { path: 'made/d.ts', movedFrom: 'c.ts', before: null, after: { hash: hash('c\n') } },
  ]);
  expect(moved?.changes.map(({ path }) => path)).toEqual(
    ['a.ts', 'empty', 'link', 'sub/b.ts'].flatMap((name) => [`dir/${name}`, `moved/${name}`]),
  );
  expect(moved?.notCovered).toEqual(['dir/.git/']);
  expect(removed).toMatchObject({
    label: 'Deleted `moved`',
    changes: [
      { path: 'moved/a.ts', before: { kind: 'file', hash: hash('a\n') }, after: null },
      { path: 'moved/empty', before: { kind: 'folder' }, after: null },
      { path: 'moved/link', before: { kind: 'link', hash: hash('a.ts') }, after: null },
      { path: 'moved/sub/b.ts', before: { hash: hash('b\n') }, after: null },
    ],
  });
  expect((await blobs.load(hash('b\n')))?.toString()).toBe('b\n');
});

test('the revert of one edit is an entry that takes the call’s entry back', async () => {
  await using model = await startScriptedModel({
    script: [calls('edit_file', { path: 'a.ts', old_string: 'one', new_string: 'two' }), 'Done.'],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('change it');
  const id = made[0]?.callId;
  if (id === undefined) throw new Error('there is no call');
  await app.core.revertEdit(app.session.id, id, 'a.ts');
  const [undo, edit] = app.core.changes.log.list({});
  expect(undo).toMatchObject({
    author: { kind: 'undo', cause: 'undo', undoes: [edit?.id] },
    changes: [{ path: 'a.ts', before: { hash: hash('two\n') }, after: { hash: hash('one\n') } }],
  });
  expect(edit?.undoneBy).toBe(undo?.id);
  expect(await app.read('a.ts')).toBe('one\n');
});

test('E: bytes decide what is stale, not time and size', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('read_file', { path: 'a.ts' }),
      calls('write_file', { path: 'a.ts', content: 'all new\n' }),
      'Done.',
    ],
  });
  await using app = await startCore({ files: { 'a.ts': 'one\n' }, modelUrl: model.url });
  const { utimes, stat } = await import('node:fs/promises');
  const before = await stat(join(app.project, 'a.ts'));
  const asked = app.event((event) => event.type === 'approval.asked');
  app.core.turns.start({ sessionId: app.session.id, text: 'replace it' });
  const event = await asked;
  if (event.type !== 'approval.asked') throw new Error('nothing waits');
  await writeFile(join(app.project, 'a.ts'), 'two\n');
  await utimes(join(app.project, 'a.ts'), before.atime, before.mtime);
  app.core.approvals.reply(event.approval.id, 'allow_once', 'user');
  await app.core.turns.whenIdle(app.session.id);
  expect(await app.read('a.ts')).toBe('two\n');
  expect(app.core.changes.log.list({})).toEqual([]);
});
