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
