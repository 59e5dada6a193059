import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../../testing/start-core';
import { sha256 } from '../../workspace/workspace-files';

const hash = (text: string): string => sha256(Buffer.from(text));
const edit = (from: string, to: string) =>
  calls('edit_file', { path: 'a.ts', old_string: from, new_string: to });

test('every call of a file tool is an entry with both sides, stored with its end', async () => {
  const patch =
    '*** Begin Patch\n*** Update File: b.ts\n*** Move to: c.ts\n@@\n-b\n+c\n*** Delete File: gone.ts\n*** End Patch';
  await using model = await startScriptedModel({
    script: [
      edit('one', 'two'),
      calls('write_file', { path: 'dir/new.ts', content: 'made\n' }),
      calls('apply_patch', { patch }),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\n', 'b.ts': 'b\n', 'gone.ts': 'gone\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await chmod(join(app.project, 'a.ts'), 0o755);
  const told: (readonly string[] | null)[] = [];
  app.core.changes.log.onChange((paths) => told.push(paths));
  const { calls: made } = await app.turn('change things');
  const { log } = app.core.changes;
  const [patched, written, edited] = log.list({});
  expect(edited).toMatchObject({
    author: { kind: 'agent', sessionId: app.session.id, callId: made[0]?.callId },
    label: 'Edited `a.ts` +1 −1',
    undoneBy: null,
    changes: [
      {
        path: 'a.ts',
        before: { kind: 'file', hash: hash('one\n'), mode: 0o755, sizeBytes: 4, isKept: true },
        after: { kind: 'file', hash: hash('two\n'), mode: 0o755, sizeBytes: 4, isKept: true },
      },
    ],
  });
  expect(written?.changes).toMatchObject([
    { path: 'dir/new.ts', before: null, after: { hash: hash('made\n'), sizeBytes: 5 } },
  ]);
  expect(patched?.changes).toMatchObject([
    { path: 'b.ts', movedFrom: null, before: { hash: hash('b\n') }, after: null },
    { path: 'c.ts', movedFrom: 'b.ts', before: null, after: { hash: hash('c\n') } },
    { path: 'gone.ts', before: { hash: hash('gone\n') }, after: null },
  ]);
  expect(await log.texts(edited?.id ?? '', 'a.ts')).toEqual({ before: 'one\n', after: 'two\n' });
  expect(await log.texts(patched?.id ?? '', 'c.ts')).toEqual({ before: null, after: 'c\n' });
  await expect
    .poll(() => told.flat())
    .toEqual(expect.arrayContaining(['a.ts', 'dir/new.ts', 'b.ts', 'c.ts', 'gone.ts']));
  expect(app.core.changes.store.unreviewed('x', {})).toEqual([]);
});

test('an edit that a person saw and allowed for once is reviewed, one that a rule allowed is not', async () => {
  await using model = await startScriptedModel({
    script: [edit('one', 'two'), edit('two', 'three'), 'Done.'],
  });
  let asked = 0;
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: () => ((asked += 1) === 1 ? 'allow_once' : 'allow_session'),
  });
  await app.turn('change it twice');
  const { store } = app.core.changes;
  const id = app.core.requireProject().info.folderId ?? app.core.requireProject().info.id;
  expect(store.chain(id, 'a.ts').map(({ isReviewed }) => isReviewed)).toEqual([true, false]);
});

test('edits that were joined to one write are an entry each, with their own sides', async () => {
  const both = {
    calls: [
      { tool: 'edit_file', args: { path: 'a.ts', old_string: 'one', new_string: 'ONE' } },
      { tool: 'edit_file', args: { path: 'a.ts', old_string: 'two', new_string: 'TWO' } },
    ],
  };
  await using model = await startScriptedModel({ script: [both, 'Done.'] });
  await using app = await startCore({
    files: { 'a.ts': 'one\ntwo\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('both');
  const { log } = app.core.changes;
  const [second, first] = log.list({});
  expect(await log.texts(first?.id ?? '', 'a.ts')).toEqual({ before: 'one\ntwo\n', after: 'ONE\ntwo\n' });
  expect(await log.texts(second?.id ?? '', 'a.ts')).toEqual({ before: 'ONE\ntwo\n', after: 'ONE\nTWO\n' });
});

test('a call that fails or is refused, and a fork of a session, make no entry', async () => {
  await using model = await startScriptedModel({
    script: [edit('nowhere', 'x'), edit('one', 'two'), 'Done.', edit('two', 'three'), 'Done.'],
  });
  let answer: 'allow_once' | 'deny' = 'allow_once';
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: () => answer,
  });
  const { view } = await app.turn('try');
  expect(app.core.changes.log.list({})).toHaveLength(1);
  answer = 'deny';
  await app.turn('again');
  const message = view.items.find((item) => item.kind === 'user');
  if (message?.kind !== 'user') throw new Error('there is no message');
  await app.core.branches.fork({ id: app.session.id, messageId: message.messageId, keep: 'before' });
  expect(app.core.changes.log.list({})).toHaveLength(1);
});
