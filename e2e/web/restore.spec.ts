import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { seriousIn } from '../support/axe';
import type { Chat } from '../support/chat';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const LIST = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

const edit = (from: string, to: string) =>
  calls('edit_file', { path: 'list.txt', old_string: from, new_string: to });

const listOf = (project: string): Promise<string> => readFile(join(project, 'list.txt'), 'utf8');

async function change(chat: Chat, ask: string): Promise<void> {
  await chat.send(ask);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText(`Done: ${ask}`);
  await chat.idle();
}

/** Opens the dialog of a message. */
async function restoreAt(chat: Chat, text: string): Promise<Locator> {
  const card = chat.region.locator('.ch-ask').filter({ hasText: text }).first();
  await card.hover();
  await card.getByRole('button', { name: 'Restore to here…' }).click();
  return chat.page.getByRole('dialog', { name: 'Restore to before this message?' });
}

test.beforeEach(async ({ project, chat, model }) => {
  await writeFile(join(project, 'list.txt'), LIST);
  model.push(edit('two', 'TWO'), 'Done: first', edit('five', 'FIVE'), 'Done: second');
  await change(chat, 'first');
  await change(chat, 'second');
  const text = await listOf(project);
  await writeFile(join(project, 'list.txt'), text.replace('eight', 'mine'));
});

test('U: files and chat go back to before a message; own later changes stay, and both ways back are at hand', async ({
  chat,
  project,
  window,
}) => {
  const dialog = await restoreAt(chat, 'second');
  await expect(dialog.getByRole('radio', { name: /^Files and chat/ })).toBeChecked();
  await expect(dialog).toContainText('Your own later changes stay.');
  await expect(dialog.getByRole('list', { name: 'Files' })).toContainText('list.txt');
  expect(await seriousIn(window)).toEqual([]);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => listOf(project)).toBe(LIST.replace('two', 'TWO').replace('eight', 'mine'));
  await expect(chat.region).not.toContainText('Done: second');
  await expect(chat.message).toHaveValue('second');
  const notices = window.getByRole('region', { name: 'Notices' });
  await notices.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => listOf(project)).toContain('FIVE');
  await notices.getByRole('button', { name: 'Open it' }).click();
  await expect(chat.region).toContainText('Done: second');
});

test('U: only files go back, by keys alone; the chat stays and tells it', async ({
  chat,
  project,
  window,
}) => {
  const dialog = await restoreAt(chat, 'first');
  await dialog.getByRole('radio', { name: /^Files and chat/ }).focus();
  await window.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: /^Files only/ })).toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Restore' }).focus();
  await window.keyboard.press('Enter');
  await expect.poll(() => listOf(project)).toBe(LIST.replace('eight', 'mine'));
  await expect(chat.region).toContainText('Done: second');
  const row = chat.region.getByRole('group', { name: 'Undo', exact: true });
  await expect(row).toContainText('Took back everything since turn 1');
  await row.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => listOf(project)).toContain('FIVE');
});

test('U: only the chat goes back: files stay as they are', async ({ chat, project }) => {
  const before = await listOf(project);
  const dialog = await restoreAt(chat, 'second');
  await dialog.getByRole('radio', { name: /^Chat only/ }).check();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  await expect(chat.region).not.toContainText('Done: second');
  expect(await listOf(project)).toBe(before);
});
