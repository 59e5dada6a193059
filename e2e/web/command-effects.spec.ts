import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seriousIn } from '../support/axe';
import type { Chat } from '../support/chat';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const LIST = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

const textOf = (project: string, path: string): Promise<string> => readFile(join(project, path), 'utf8');

/** A turn that changes one word of the list. */
async function change(chat: Chat, ask: string): Promise<void> {
  await chat.send(ask);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText(`Done: ${ask}`);
  await chat.idle();
}

test.beforeEach(async ({ project }) => {
  await writeFile(join(project, 'list.txt'), LIST);
});

test('U: what a command did is listed and taken back: a deleted file is there again', async ({
  chat,
  model,
  project,
  window,
}) => {
  const gone = await textOf(project, 'src/greet.js');
  model.push(
    calls('run_command', { command: 'rm src/greet.js && echo new > made.txt && echo nine >> list.txt' }),
    'Done: tidy',
  );
  await change(chat, 'tidy');
  await expect.poll(() => textOf(project, 'list.txt')).toBe(`${LIST}nine\n`);
  const effects = chat.region.getByRole('group', { name: 'Files changed by the command' });
  await expect(effects).toContainText('3 files changed');
  await effects.getByRole('button', { expanded: false }).first().click();
  for (const name of ['greet.js', 'made.txt', 'list.txt']) await expect(effects).toContainText(name);
  expect(await seriousIn(window)).toEqual([]);
  await effects.getByRole('button', { name: 'Undo', exact: true }).first().click();
  const dialog = window.getByRole('dialog', { name: 'Undo what the command changed?' });
  await expect(dialog).toContainText('may have had effects outside the project');
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => textOf(project, 'src/greet.js').catch(() => '')).toBe(gone);
  await expect.poll(() => textOf(project, 'list.txt')).toBe(LIST);
  await expect(textOf(project, 'made.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what can’t be undone is said before the command runs, on its card, and before its undo', async ({
  chat,
  model,
  project,
  window,
}) => {
  const outside = join(project, '..', 'outside.txt');
  await writeFile(join(project, 'big.bin'), Buffer.alloc(7_000_000, 'x'));
  model.push(
    calls('run_command', {
      command: 'echo out > ../outside.txt; echo nine >> list.txt; head -c 6000000 /dev/zero > big.bin',
    }),
    'Done: outside',
  );
  await chat.send('outside');
  await expect(chat.approval).toContainText('Can’t be undone there: ignored/, big.bin (7 MB)');
  expect(await seriousIn(window)).toEqual([]);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done: outside');
  await chat.idle();
  expect(await textOf(project, '../outside.txt')).toBe('out\n');

  const effects = chat.region.getByRole('group', { name: 'Files changed by the command' });
  await expect(effects).toContainText('2 files changed');
  await effects.getByRole('button', { expanded: false }).first().click();
  await expect(effects).toContainText('big.bin');
  await effects.getByRole('button', { name: 'Undo', exact: true }).first().click();
  const dialog = window.getByRole('dialog', { name: 'Undo what the command changed?' });
  await expect(dialog).toContainText(
    'may have had effects outside the project or in files that are not followed (big.bin).',
  );
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => textOf(project, 'list.txt')).toBe(LIST);
  expect((await readFile(join(project, 'big.bin'))).length).toBe(6_000_000);
  expect(await readFile(outside, 'utf8')).toBe('out\n');
});

test('a small ignored folder that the command names is not among what can’t be undone, and comes back', async ({
  chat,
  model,
  project,
}) => {
  model.push(calls('run_command', { command: 'rm -rf ignored && echo nine >> list.txt' }), 'Done: clean');
  await chat.send('clean');
  await expect(chat.approval).toContainText('rm -rf ignored');
  await expect(chat.approval).not.toContainText('Can’t be undone there');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done: clean');
  await chat.idle();
  await expect(textOf(project, 'ignored/cache.txt')).rejects.toMatchObject({ code: 'ENOENT' });
  const effects = chat.region.getByRole('group', { name: 'Files changed by the command' });
  await effects.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await chat.page
    .getByRole('dialog', { name: 'Undo what the command changed?' })
    .getByRole('button', { name: 'Undo', exact: true })
    .click();
  await expect.poll(() => textOf(project, 'ignored/cache.txt').catch(() => '')).toBe('cached\n');
});
