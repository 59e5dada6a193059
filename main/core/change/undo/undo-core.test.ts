import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../../testing/start-core';

const BOM = '\ufeff';
const turnsOf = ({ core, session }: TestCore): string[] => [
  ...new Set(
    core.changes.log
      .list({ sessionId: session.id })
      .map(({ author }) => ('turnId' in author ? author.turnId : '')),
  ),
];
const lastTurn = (app: TestCore) =>
  ({ kind: 'turn', sessionId: app.session.id, turnId: turnsOf(app)[0] as never }) as const;
const bytes = (app: TestCore, path: string) => readFile(join(app.project, path)).catch(() => null);

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+TWO
*** Update File: old.txt
*** Move to: lib/new.txt
@@
-first
+FIRST
 second
*** Delete File: gone.txt
*** Add File: fresh/made.txt
+made
*** End Patch
`;
const FILES = {
  'a.txt': `${BOM}one\r\ntwo\r\nthree`,
  'old.txt': 'first\nsecond\n',
  'gone.txt': 'kept bytes\r\n',
};

async function patched() {
  const model = await startScriptedModel({
    script: [
      { calls: Object.keys(FILES).map((path) => ({ tool: 'read_file', args: { path } })) },
      calls('apply_patch', { patch: PATCH }),
      'Done.',
    ],
  });
  const app = await startCore({ files: FILES, modelUrl: model.url, approve: 'allow_once' });
  await chmod(join(app.project, 'gone.txt'), 0o755);
  await app.turn('patch it');
  return {
    app,
    model,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

test('faults §1.4: undo of a patch with a move, a deletion and new files gives every byte and mode back; redo and undo again', async () => {
  await using each = await patched();
  const { app } = each;
  const { undo } = app.core.changes;
  const after = await bytes(app, 'lib/new.txt');
  expect(after?.toString()).toBe('FIRST\nsecond\n');
  const preview = await undo.preview(lastTurn(app));
  expect(preview.files.every(({ outcome }) => outcome === 'restored')).toBe(true);
  expect(await bytes(app, 'lib/new.txt')).toEqual(after);
  const result = await undo.undo(lastTurn(app));
  for (const [path, text] of Object.entries(FILES)) expect((await bytes(app, path))?.toString()).toBe(text);
  expect((await stat(join(app.project, 'gone.txt'))).mode & 0o777).toBe(0o755);
  for (const path of ['lib', 'fresh']) await expect(stat(join(app.project, path))).rejects.toThrow('ENOENT');
  const redone = await undo.redo(result.setId as string);
  expect(app.core.catalog.runtime(app.session.id).view.items.at(-1)).toMatchObject({
    undo: { cause: 'redo', label: 'turn 1', redoes: result.setId, setId: redone.setId },
  });
  expect(await bytes(app, 'lib/new.txt')).toEqual(after);
  expect((await bytes(app, 'a.txt'))?.toString()).toBe(`${BOM}one\r\nTWO\r\nthree\r\n`);
  expect(await bytes(app, 'gone.txt')).toBeNull();
  expect((await bytes(app, 'fresh/made.txt'))?.toString()).toBe('made\n');
  await undo.undo({ kind: 'set', setId: redone.setId as never });
  for (const [path, text] of Object.entries(FILES)) expect((await bytes(app, path))?.toString()).toBe(text);
});

test('the session shows what was taken back, and its model is told', async () => {
  await using each = await patched();
  const { app, model } = each;
  const { setId } = await app.core.changes.undo.undo(lastTurn(app));
  const { view } = app.core.catalog.runtime(app.session.id);
  expect(view.items.at(-1)).toMatchObject({ kind: 'undo', undo: { cause: 'undo', label: 'turn 1', setId } });
  model.push('Fine.');
  await app.turn('and now?');
  const told = model.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
  expect(told.some((text) => text.includes('took back turn 1') && text.includes('a.txt: as before'))).toBe(
    true,
  );
});

test('faults §1.4: what a real command did is taken back, and the undo is nobody else’s change afterwards', async () => {
  const run = (command: string) => calls('run_command', { command });
  await using model = await startScriptedModel({
    script: [
      run(
        'printf "two\\r\\n" > a.txt; rm b.txt; chmod 755 c.sh; ln -s a.txt link; mkdir -p d/e && mv f.txt d/e/g.txt',
      ),
      'Done.',
      run('echo more > other.txt'),
      'Done.',
    ],
  });
  const files = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'c.sh': '#!/bin/sh\n', 'f.txt': 'f\n' };
  await using app = await startCore({ files, modelUrl: model.url, approve: 'allow_once' });
  await app.turn('run it');
  const { changes } = app.core;
  const result = await changes.undo.undo(lastTurn(app));
  expect(result.cannot).toEqual([expect.stringContaining('may have had effects outside the project')]);
  for (const [path, text] of Object.entries(files)) expect((await bytes(app, path))?.toString()).toBe(text);
  expect((await stat(join(app.project, 'c.sh'))).mode & 0o777).toBe(0o644);
  for (const path of ['link', 'd']) await expect(stat(join(app.project, path))).rejects.toThrow('ENOENT');
  await app.turn('and another');
  await app.core.requireProject().effects.idle();
  const log = changes.log.list({}).reverse();
  expect(log.map(({ author }) => author.kind)).toEqual(['command', 'undo', 'command']);
  expect(log[2]?.changes.map(({ path }) => path)).toEqual(['other.txt']);
  await changes.undo.redo(result.setId as string);
  expect((await bytes(app, 'd/e/g.txt'))?.toString()).toBe('f\n');
  expect((await bytes(app, 'a.txt'))?.toString()).toBe('two\r\n');
  expect(await bytes(app, 'b.txt')).toBeNull();
});

test('nothing is undone while the session works', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('write_file', { path: 'a.txt', content: 'made\n' }),
      'Done.',
      calls('write_file', { path: 'b.txt', content: 'b\n' }),
    ],
  });
  let answers = 1;
  const approve = () => ((answers -= 1) >= 0 ? ('allow_once' as const) : (undefined as never));
  await using app = await startCore({ modelUrl: model.url, approve });
  await app.turn('make it');
  const target = lastTurn(app);
  const asked = app.event(({ type }) => type === 'approval.asked');
  app.core.turns.start({ sessionId: app.session.id, text: 'and b' });
  await asked;
  await expect(app.core.changes.undo.undo(target)).rejects.toMatchObject({ code: 'busy' });
  await app.core.turns.stop(app.session.id);
  expect((await app.core.changes.undo.undo(target)).files).toMatchObject([{ outcome: 'restored' }]);
});
