import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import type { Chat } from '../support/chat';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const LIST = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

const edit = (from: string, to: string) =>
  calls('edit_file', { path: 'list.txt', old_string: from, new_string: to });

const textOf = (project: string, path: string): Promise<string> => readFile(join(project, path), 'utf8');

/** A turn that changes one word of the list. */
async function change(chat: Chat, ask: string): Promise<void> {
  await chat.send(ask);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText(`Done: ${ask}`);
  await chat.idle();
}

const lastTurn = (chat: Chat): Locator => chat.region.getByRole('article', { name: 'Turn' }).last();

async function run(window: Page, command: string): Promise<void> {
  await window.keyboard.press('Control+Shift+P');
  await window.getByRole('combobox').first().fill(`>${command}`);
  await window.getByRole('option', { name: command }).first().click();
}

test.beforeEach(async ({ project }) => {
  await writeFile(join(project, 'list.txt'), LIST);
});

test('U: undo of a turn keeps what was changed in other lines since, and redo brings it back', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(edit('two', 'TWO'), 'Done: shout');
  await change(chat, 'shout');
  await writeFile(join(project, 'list.txt'), (await textOf(project, 'list.txt')).replace('seven', 'mine'));
  await lastTurn(chat).getByRole('button', { name: 'Undo turn' }).click();
  await expect.poll(() => textOf(project, 'list.txt')).toBe(LIST.replace('seven', 'mine'));
  const row = chat.region.getByRole('group', { name: 'Undo', exact: true }).first();
  await expect(row).toContainText('Undid turn 1: 1 file changed.');
  await row.getByRole('button', { expanded: false }).click();
  await expect(row.getByRole('list', { name: 'Files' })).toContainText('later changes stay');
  await expect(chat.region.getByRole('figure', { name: /list\.txt/ })).toContainText('undone');
  expect(await seriousIn(window)).toEqual([]);
  await row.getByRole('button', { name: 'Redo' }).click();
  await expect
    .poll(() => textOf(project, 'list.txt'))
    .toBe(LIST.replace('seven', 'mine').replace('two', 'TWO'));
  await expect(row).toContainText('Done again');
  await expect(lastTurn(chat).getByRole('button', { name: 'Undo turn' })).toBeVisible();
});

test('U: by keys alone: /undo and /redo, and the same from the palette', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(edit('two', 'TWO'), 'Done: shout');
  await change(chat, 'shout');
  const shouted = LIST.replace('two', 'TWO');
  for (const [command, text] of [
    ['/undo', LIST],
    ['/redo', shouted],
  ] as const) {
    await chat.message.fill(command);
    await chat.message.press('Escape');
    await chat.message.press('Enter');
    await expect.poll(() => textOf(project, 'list.txt')).toBe(text);
  }
  await expect(lastTurn(chat).getByRole('button', { name: 'Undo turn' })).toBeVisible();
  await run(window, 'Changes: Undo last turn');
  await expect.poll(() => textOf(project, 'list.txt')).toBe(LIST);
  // The palette lists what can be done at the moment it is opened, and the chat hears of an undo after the disk.
  await expect(chat.region.getByRole('button', { name: 'Redo' }).first()).toBeVisible();
  await run(window, 'Changes: Redo');
  await expect.poll(() => textOf(project, 'list.txt')).toBe(shouted);
});

test('U: later changes in the same lines are a conflict, asked about before, resolved side by side', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(edit('two', 'TWO'), 'Done: shout');
  await change(chat, 'shout');
  await writeFile(join(project, 'list.txt'), (await textOf(project, 'list.txt')).replace('TWO', 'Zwei'));
  await lastTurn(chat).getByRole('button', { name: 'Undo turn' }).click();
  const dialog = window.getByRole('dialog', { name: 'Undo the turn?' });
  await expect(dialog).toContainText('list.txt');
  await expect(dialog).toContainText('1 file in conflict');
  expect(await seriousIn(window)).toEqual([]);
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(await textOf(project, 'list.txt')).toContain('Zwei');
  await chat.region.getByRole('button', { name: 'Resolve…' }).first().click();
  const page = window.getByRole('region', { name: 'Conflict', exact: true });
  await expect(page).toContainText('Conflict in list.txt');
  const side = (name: string): Locator =>
    page.locator('.monaco-editor', { has: window.getByRole('textbox', { name: new RegExp(`^${name}`) }) });
  await expect(side('Now')).toContainText('Zwei');
  await expect(side('After undo')).toContainText('two');
  expect(await seriousIn(window)).toEqual([]);
  const choice = page.getByRole('radiogroup', { name: 'Place 1 of 1' });
  await choice.getByRole('radio', { name: 'Both' }).click();
  await expect(side('After undo')).toContainText('Zwei');
  await expect(side('After undo')).toContainText('two');
  // A look at something else loses nothing of it.
  await run(window, 'Show change log');
  await expect(page).toBeHidden();
  await chat.region.getByRole('button', { name: 'Resolve…' }).first().click();
  await expect(choice.getByRole('radio', { name: 'Both' })).toBeChecked();
  await expect(side('After undo')).toContainText('Zwei');
  // The file moves on meanwhile: nothing is overwritten, the sides are new.
  await writeFile(join(project, 'list.txt'), (await textOf(project, 'list.txt')).replace('Zwei', 'Deux'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('changed while you looked');
  await expect(side('Now')).toContainText('Deux');
  await choice.getByRole('radio', { name: 'Take undo' }).focus();
  await window.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toBeHidden();
  await expect.poll(() => textOf(project, 'list.txt')).toContain('Deux');
  await expect(chat.region).toContainText('Resolved');
});

test('U: while the turn goes on, an edit is put back from its card', async ({ chat, model, project }) => {
  model.push(edit('two', 'TWO'), { text: 'Going on for long', holdAfterChars: 5 });
  await chat.send('shout');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Going');
  await expect(chat.stop).toBeVisible();
  const card = chat.region.getByRole('figure', { name: /list\.txt/ });
  await card.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => textOf(project, 'list.txt')).toBe(LIST);
  await expect(card).toContainText('undone');
  model.release();
  await chat.idle();
});

test('U: a file that undo would remove, changed since, is kept or removed as one decides', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(calls('write_file', { path: 'made.txt', content: 'made\n' }), 'Done: make');
  await change(chat, 'make');
  await writeFile(join(project, 'made.txt'), 'mine now\n');
  await lastTurn(chat).getByRole('button', { name: 'Undo turn' }).click();
  const dialog = window.getByRole('dialog', { name: 'Undo the turn?' });
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
  await chat.region.getByRole('button', { name: 'Resolve…' }).first().click();
  const page = window.getByRole('region', { name: 'Conflict', exact: true });
  await expect(page).toContainText('Undo would remove it, but it was changed since.');
  await expect(page.getByRole('radio', { name: 'Keep mine' })).toBeChecked();
  expect(await textOf(project, 'made.txt')).toBe('mine now\n');
  await page.getByRole('radio', { name: 'Take undo' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toBeHidden();
  await expect(textOf(project, 'made.txt')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('U: the change log names who changed what, compares and takes back', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(edit('two', 'TWO'), 'Done: shout');
  await change(chat, 'shout');
  await run(window, 'Changes: Show change log');
  const log = window.getByRole('region', { name: 'Change log', exact: true });
  const entry = log.getByRole('listitem').filter({ hasText: 'list.txt' }).first();
  await expect(entry.getByRole('img', { name: 'Agent' })).toBeVisible();
  await entry.getByRole('button', { expanded: false }).click();
  await expect(entry.getByRole('list', { name: 'Paths' })).toContainText('list.txt');
  expect(await seriousIn(window)).toEqual([]);
  await entry.getByRole('button', { name: /^Undo: / }).click();
  await expect.poll(() => textOf(project, 'list.txt')).toBe(LIST);
  await expect(log.getByRole('listitem').filter({ hasText: 'undone' })).toHaveCount(1);
  await log.getByRole('button', { name: 'Show diff of list.txt' }).first().click();
  await expect(window.getByRole('tab', { name: /^list\.txt: change/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});
