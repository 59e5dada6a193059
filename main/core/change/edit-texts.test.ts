import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { CallView } from '../../../shared/model/session-view';
import { startCore, type TestCore } from '../testing/start-core';

const idOf = (made: readonly CallView[], at: number) => {
  const call = made[at];
  if (!call) throw new Error(`there is no call ${at}`);
  return call.callId;
};
const numbered = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join('');
const edit = (from: string, to: string) =>
  calls('edit_file', { path: 'a.ts', old_string: from, new_string: to });
const textsOf = (app: TestCore, made: readonly CallView[], at: number, path = 'a.ts') =>
  app.core.editTexts(app.session.id, idOf(made, at), path);

test('each call of one file has its own before and after, whatever happened to the file since', async () => {
  await using model = await startScriptedModel({
    script: [edit('one', 'two'), edit('two', 'three'), 'Done.'],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\r\nend' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('change it twice');
  await writeFile(join(app.project, 'a.ts'), 'something else');
  expect(await textsOf(app, made, 0)).toEqual({ before: 'one\nend', after: 'two\nend', pending: false });
  expect(await textsOf(app, made, 1)).toEqual({ before: 'two\nend', after: 'three\nend', pending: false });
  await rm(join(app.project, 'a.ts'));
  expect(await textsOf(app, made, 1)).toMatchObject({ before: 'two\nend', after: 'three\nend' });
});

test('a new file has nothing before, a rewritten long one has all of its lines', async () => {
  const long = numbered(2500, 'row');
  await using model = await startScriptedModel({
    script: [
      calls('write_file', { path: 'new.ts', content: 'made\n' }),
      calls('write_file', { path: 'a.ts', content: long }),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.ts': numbered(2500, 'line') },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('write');
  expect(await textsOf(app, made, 0, 'new.ts')).toEqual({ before: '', after: 'made\n', pending: false });
  await writeFile(join(app.project, 'a.ts'), 'something else');
  expect(made[1]?.diffs[0]?.diff.truncated).toBe(true);
  expect(await textsOf(app, made, 1)).toEqual({
    before: numbered(2500, 'line'),
    after: long,
    pending: false,
  });
});

test('a write that waits for approval is shown as it would be', async () => {
  await using model = await startScriptedModel({ script: [edit('one', 'two'), 'Done.'] });
  await using app = await startCore({ files: { 'a.ts': 'one\n' }, modelUrl: model.url });
  const asked = app.event((event) => event.type === 'approval.asked');
  app.core.turns.start({ sessionId: app.session.id, text: 'change it' });
  const event = await asked;
  if (event.type !== 'approval.asked') throw new Error('nothing waits');
  expect(await app.core.editTexts(app.session.id, event.approval.callId, 'a.ts')).toEqual({
    before: 'one\n',
    after: 'two\n',
    pending: true,
  });
  expect(await app.read('a.ts')).toBe('one\n');
  await app.core.turns.stop(app.session.id);
});

test('what can’t be had is said: no such edit, images that are gone, files too large to be kept', async () => {
  const large = `one\n${'x'.repeat(5 * 1024 * 1024)}\n`;
  await using model = await startScriptedModel({
    script: [edit('one', 'two'), edit('two', 'three'), 'Done.', edit('one', 'two'), 'Done again.'],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('change it');
  await expect(textsOf(app, made, 0, 'b.ts')).rejects.toMatchObject({ code: 'not_found' });
  await rm(join(app.home, 'before'), { recursive: true });
  // The newest edit is still told from the file itself, as long as that is what the edit left.
  expect(await textsOf(app, made, 1)).toMatchObject({ before: 'two\n', after: 'three\n' });
  await expect(textsOf(app, made, 0)).rejects.toMatchObject({
    code: 'not_found',
    message: 'The text of a.ts before this edit is not kept any more.',
  });
  await writeFile(join(app.project, 'a.ts'), large);
  const second = await app.turn('change the large one');
  await expect(textsOf(app, second.calls, 2)).rejects.toMatchObject({ code: 'file_too_large' });
});

test('edits of one file in one answer have texts of their own, and what is asked about them all together', async () => {
  const both = {
    calls: [
      { tool: 'edit_file', args: { path: 'a.ts', old_string: 'one', new_string: 'two' } },
      { tool: 'edit_file', args: { path: 'a.ts', old_string: 'end', new_string: 'END' } },
    ],
  };
  await using model = await startScriptedModel({ script: [both, 'Done.'] });
  await using app = await startCore({ files: { 'a.ts': 'one\nend\n' }, modelUrl: model.url });
  const asked = app.event((event) => event.type === 'approval.asked');
  const finished = app.event((event) => event.type === 'turn.finished');
  app.core.turns.start({ sessionId: app.session.id, text: 'change both' });
  const event = await asked;
  if (event.type !== 'approval.asked') throw new Error('nothing waits');
  const { callId } = event.approval;
  expect(await app.core.editTexts(app.session.id, callId, 'a.ts')).toEqual({
    before: 'one\nend\n',
    after: 'two\nEND\n',
    pending: true,
  });
  const answer = (): void => {
    for (const { id } of app.core.approvals.pending()) app.core.approvals.reply(id, 'allow_once', 'user');
  };
  app.core.approvals.onChange(answer);
  answer();
  await finished;
  const { view } = app.core.catalog.runtime(app.session.id);
  const made = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : []));
  await writeFile(join(app.project, 'a.ts'), 'something else');
  expect(await textsOf(app, made, 0)).toMatchObject({ before: 'one\nend\n', after: 'two\nend\n' });
  expect(await textsOf(app, made, 1)).toMatchObject({ before: 'two\nend\n', after: 'two\nEND\n' });
});
