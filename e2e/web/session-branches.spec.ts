import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';
import type { Chat } from '../support/chat';

/** The card of a message, with its tools at hand. */
async function card(chat: Chat, text: string): Promise<Locator> {
  const found = chat.region.locator('.ch-ask').filter({ hasText: text }).first();
  await found.hover();
  return found;
}

async function say(chat: Chat, text: string, answer: string): Promise<void> {
  await chat.send(text);
  await expect(chat.region).toContainText(answer);
  await chat.idle();
}

async function sessionsView(window: Page): Promise<Locator> {
  const side = window.locator('#side-bar');
  await side.getByRole('tab', { name: /^Sessions/ }).click();
  return side;
}

const openTab = (chat: Chat): Locator =>
  chat.region.getByRole('tablist', { name: 'Sessions' }).getByRole('tab', { selected: true });

test('M3: an earlier message is edited and run again; the old branch is kept and one click away', async ({
  chat,
  model,
}) => {
  model.push('About tabs.', 'About spaces.', 'About both.');
  await say(chat, 'hello tabs', 'About tabs.');
  await say(chat, 'hello spaces', 'About spaces.');
  await (
    await card(chat, 'hello spaces')
  )
    .getByRole('button', { name: 'Edit message and run again' })
    .click();
  const box = chat.region.getByRole('textbox', { name: 'Edited message' });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('hello spaces');
  await box.fill('hello both');
  await box.press('Enter');
  await expect(chat.region).toContainText('About both.');
  await expect(chat.region).not.toContainText('About spaces.');
  await expect(chat.region).toContainText('About tabs.');
  await chat.page.getByRole('button', { name: 'Open it' }).click();
  await expect(openTab(chat)).toContainText('hello tabs (before edit)');
  await expect(chat.region).toContainText('About spaces.');
});

test('M3: by keys alone: go back to before a message, with its text in the message box, and fork after an answer', async ({
  window,
  chat,
  model,
}) => {
  model.push('About tabs.', 'About spaces.');
  await say(chat, 'hello tabs', 'About tabs.');
  await say(chat, 'hello spaces', 'About spaces.');
  const back = chat.region
    .locator('.ch-ask')
    .filter({ hasText: 'hello spaces' })
    .getByRole('button', { name: 'Restore to here…' });
  await back.focus();
  await expect(back).toBeInViewport();
  await window.keyboard.press('Enter');
  const dialog = window.getByRole('dialog', { name: 'Restore to before this message?' });
  // No file was changed since, so only the chat goes back.
  await expect(dialog.getByRole('radio', { name: /^Chat only/ })).toBeChecked();
  await expect(dialog).toContainText('Files stay as they are');
  await dialog.getByRole('button', { name: 'Restore' }).focus();
  await window.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(chat.region).not.toContainText('About spaces.');
  await expect(chat.message).toHaveValue('hello spaces');

  const fork = chat.region
    .locator('.ch-ask')
    .filter({ hasText: 'hello tabs' })
    .getByRole('button', { name: 'Fork the session here' });
  await fork.focus();
  await window.keyboard.press('Enter');
  await window.keyboard.press('ArrowDown');
  await window.keyboard.press('Enter');
  await expect(openTab(chat)).toContainText('hello tabs (fork)');
  await expect(chat.region).toContainText('About tabs.');
});

test('M3: the search finds words of all sessions and leads to the message, however far back it is', async ({
  window,
  chat,
  model,
}) => {
  const turns = 30;
  model.push(...Array.from({ length: turns }, (_, n) => `Answer ${n}. ${'line\n\n'.repeat(12)}`), 'Short.');
  for (let n = 0; n < turns; n += 1) await say(chat, n === 2 ? 'hello quokka' : `hello ${n}`, `Answer ${n}.`);
  await chat.newSession();
  await say(chat, 'hello again', 'Short.');
  await window.reload();
  const side = await sessionsView(window);
  await side.getByRole('textbox', { name: 'Search sessions' }).fill('quok');
  const rows = side.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  const hit = rows.first().getByRole('button', { name: /You: hello quokka/ });
  await expect(hit.locator('mark')).toHaveText('quokka');
  await rows.first().getByRole('button').first().focus();
  await window.keyboard.press('ArrowDown');
  await expect(hit).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(chat.region.locator('.ch-found')).toContainText('hello quokka');
  await expect(chat.region.locator('.ch-found')).toBeInViewport();
  await chat.region.getByRole('button', { name: /^(?:To the end|New)$/ }).click();
  await expect(chat.region.getByText(`Answer ${turns - 1}.`)).toBeInViewport();
});

test('M2: a session is exported into a folder and imported again from the window', async ({
  window,
  chat,
  model,
  home,
}) => {
  model.push('About tabs.');
  await say(chat, 'hello tabs', 'About tabs.');
  const side = await sessionsView(window);
  const row = side.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first();
  await row.hover();
  await row.getByRole('button', { name: /^Export hello tabs/ }).click();
  const out = window.getByRole('dialog', { name: 'Export the session' });
  await out.getByRole('textbox', { name: 'Path' }).fill(home);
  await out.getByRole('button', { name: 'Export here' }).click();
  await expect(window.getByText('Session exported')).toBeVisible();
  const [folder = ''] = (await readdir(home)).filter((name) => name.startsWith('lathe-hello-tabs-'));
  expect(await readFile(join(home, folder, 'chat_history.jsonl'), 'utf8')).toContain('About tabs.');

  await side.getByRole('button', { name: 'Import a session…' }).click();
  const into = window.getByRole('dialog', { name: 'Import a session' });
  await into.getByRole('textbox', { name: 'Path' }).fill(join(home, folder));
  await into.getByRole('button', { name: 'Import this folder' }).click();
  await expect(side.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2);
  await expect(chat.region).toContainText('About tabs.');
});
