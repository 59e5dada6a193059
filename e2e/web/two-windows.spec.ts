import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

/** Shows a session that another window began. */
async function openSession(page: Page, title: string): Promise<void> {
  const region = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(region).toContainText('No messages yet');
  await page.bringToFront();
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').first().fill('>Open session');
  await page.getByRole('option', { name: /Open session…/ }).click();
  await page.getByRole('dialog').getByText(title).click();
}

const editorOf = (window: Page) => window.getByRole('region', { name: 'Editor', exact: true });

test('case-H07: two windows of one host show one session live; the first answer closes the approval in both', async ({
  window,
  chat,
  context,
  model,
  project,
}) => {
  const other = await context.newPage();
  await other.goto(new URL('/', window.url()).href);
  await windowReady(other);
  const second = new Chat(other);
  model.push(
    {
      ...calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }, 'I change it.'),
      holdAfterChars: 3,
    },
    { text: 'It is done and both can read it.', holdAfterChars: 10 },
  );
  await chat.send('Fix add');
  await openSession(other, 'Fix add');
  await expect(second.region).toContainText('I change');
  model.release();
  await expect(chat.approval).toBeVisible();
  await expect(second.approval).toContainText('a + b');
  await second.answer('Allow once');
  await expect(second.approval).toBeHidden();
  await expect(chat.approval).toBeHidden();
  await expect(chat.region).toContainText('It is done');
  model.release();
  await expect(chat.region).toContainText('It is done and both can read it.');
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');
  await other.reload();
  await windowReady(other);
  await expect(second.region).toContainText('It is done and both can read it.');
});

test('case-D06: what one window saves shows in the other; an unsaved copy there is asked about, not overwritten', async ({
  window,
  context,
  project,
}) => {
  const other = await context.newPage();
  await other.goto(new URL('/', window.url()).href);
  await windowReady(other);
  for (const page of [window, other]) {
    await page.getByRole('treeitem', { name: /^README\.md/ }).dblclick();
    await expect(editorOf(page)).toContainText('Adds numbers.');
  }
  const type = async (page: Page, text: string): Promise<void> => {
    await page.bringToFront();
    await editorOf(page).getByText('Adds numbers.').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(text);
  };
  await type(window, 'From the first.');
  await window.keyboard.press('Control+s');
  await expect.poll(() => readFile(join(project, 'README.md'), 'utf8')).toContain('From the first.');
  await expect(editorOf(other)).toContainText('From the first.');
  await type(other, 'Unsaved in the second.');
  await type(window, 'Again from the first.');
  await window.keyboard.press('Control+s');
  await expect.poll(() => readFile(join(project, 'README.md'), 'utf8')).toContain('Again from the first.');
  await expect(editorOf(other)).toContainText('changed on disk');
  await expect(editorOf(other)).toContainText('Unsaved in the second.');
  await other.bringToFront();
  await other.keyboard.press('Control+s');
  await expect(editorOf(other)).toContainText('was not saved');
  expect(await readFile(join(project, 'README.md'), 'utf8')).not.toContain('Unsaved in the second.');
});

test('case-H07: a second host on the same store shares the sessions; what runs in the first is not driven from the second', async ({
  window,
  chat,
  context,
  model,
  project,
  home,
}) => {
  model.push({ text: 'A slow answer that takes its time', holdAfterChars: 10 }, 'Now from the second.');
  await chat.send('Think long');
  await expect(chat.region).toContainText('A slow');
  const host = await startHost({ home, project, modelUrl: model.url });
  try {
    const other = await context.newPage();
    await other.goto(host.url);
    await windowReady(other);
    const second = new Chat(other);
    await expect(second.region).toContainText('Think long');
    await expect(second.region).not.toContainText('Lathe was closed while this turn ran');
    await second.message.fill('Me too');
    await second.message.press('Enter');
    await expect(second.region).toContainText('running in another Lathe process');
    await expect(second.region).toContainText('Wait until its turn ends, or stop it there.');
    await expect(second.message).toHaveValue('Me too');
    model.release();
    await window.bringToFront();
    await expect(chat.region).toContainText('A slow answer that takes its time');
    await chat.idle();
    await other.bringToFront();
    await expect(second.region).toContainText('A slow answer that takes its time');
    await second.message.press('Enter');
    await expect(second.region).toContainText('Now from the second.');
    const roles = model.requests.at(-1)?.body.messages.map(({ role }) => role);
    expect(roles?.slice(-3)).toEqual(['user', 'assistant', 'user']);
  } finally {
    model.release();
    await host.stop();
  }
});

test('fault-F118: a window that is reloaded in mid-answer catches up, without a word lost or doubled', async ({
  window,
  chat,
  model,
}) => {
  const text = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
  model.push({ text, delayMs: 15 });
  await chat.send('Count');
  await expect(chat.region).toContainText('word20');
  for (let round = 0; round < 2; round += 1) {
    await window.reload();
    await windowReady(window);
    await expect(chat.region).toContainText('word20');
  }
  await expect(chat.region).toContainText('word299');
  await chat.idle();
  const answer = await chat.region.getByText('word0 word1').last().textContent();
  const seen = (answer ?? '').match(/word\d+/g) ?? [];
  expect(seen).toEqual(text.split(' '));
});

test('a host that is killed and started again: the window says so, keeps all text, tells what to open and goes on', async ({
  page,
  context,
  model,
  project,
  home,
}) => {
  model.push('An answer.');
  const first = await startHost({ home, project, modelUrl: model.url });
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('Hello');
  await expect(chat.region).toContainText('An answer.');
  await chat.idle();
  await chat.message.fill('A draft in the making');
  await page.getByRole('treeitem', { name: /^README\.md/ }).dblclick();
  await editorOf(page).getByText('Adds numbers.').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Typed before the crash.');
  await first.kill();
  const banner = page.getByRole('alert').filter({ hasText: /connection to Lathe|may no longer talk/ });
  await expect(banner).toContainText('The connection to Lathe is lost');
  await page.keyboard.type(' And after it.');
  const second = await startHost({ home, project, modelUrl: model.url });
  try {
    await expect(banner).toContainText('Open the address that “lathe serve” printed last', {
      timeout: 40_000,
    });
    await expect(chat.message).toHaveValue('A draft in the making');
    await expect(editorOf(page)).toContainText('Typed before the crash. And after it.');
    const other = await context.newPage();
    await other.goto(second.url);
    await windowReady(other);
    await expect(other.getByRole('region', { name: 'Chat', exact: true })).toContainText('An answer.');
    await expect(banner).toBeHidden({ timeout: 40_000 });
    await page.bringToFront();
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readFile(join(project, 'README.md'), 'utf8'))
      .toContain('Typed before the crash. And after it.');
    model.push('Answered by the new host.');
    await chat.message.press('Enter');
    await expect(chat.region).toContainText('Answered by the new host.');
  } finally {
    await second.stop();
  }
});
