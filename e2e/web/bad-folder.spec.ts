import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { ordinaryRights } from '../support/launchers';
import { calls } from '../support/scripted-model/script-reply';

async function openByPath(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: /^Open…/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Open a folder' });
  await dialog.getByRole('textbox', { name: 'Path' }).fill(path);
  await dialog.getByRole('button', { name: 'Open this folder' }).click();
}

test('without a project the window says how to get one, and sending is not offered', async ({
  page,
  home,
}) => {
  const host = await startHost({ home });
  try {
    await page.goto(host.url);
    await expect(page.getByRole('heading', { name: 'Open a folder to start' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeHidden();
    await expect(page.getByRole('button', { name: /^Open…/ })).toBeEnabled();
  } finally {
    await host.stop();
  }
});

test('a folder that may not be read is refused with the reason; the open project stays open', async ({
  page,
  home,
  project,
}) => {
  const launcher = ordinaryRights();
  test.skip(launcher === null, 'Runs as root, and setpriv is not there to give the rights up.');
  const locked = join(home, 'locked');
  await mkdir(locked);
  await chmod(locked, 0o000);
  const host = await startHost({ home, launcher: launcher ?? [] });
  try {
    await page.goto(host.url);
    await openByPath(page, locked);
    const notice = page
      .getByRole('dialog', { name: 'Open a folder' })
      .or(page.getByRole('region', { name: 'Notices' }));
    await expect(notice.filter({ hasText: 'you may not read it' }).first()).toContainText(
      'Change its permissions',
    );
    await page
      .getByRole('dialog', { name: 'Open a folder' })
      .getByRole('textbox', { name: 'Path' })
      .fill(project);
    await page.getByRole('button', { name: 'Open this folder' }).click();
    await windowReady(page);
  } finally {
    await host.stop();
    await chmod(locked, 0o700);
  }
});

test('an unreadable folder inside the project says so in the tree and to the model; the rest works', async ({
  page,
  home,
  project,
  model,
}) => {
  const launcher = ordinaryRights();
  test.skip(launcher === null, 'Runs as root, and setpriv is not there to give the rights up.');
  await mkdir(join(project, 'locked'));
  await writeFile(join(project, 'secret.txt'), 'locked words');
  await chmod(join(project, 'locked'), 0o000);
  await chmod(join(project, 'secret.txt'), 0o000);
  const host = await startHost({ home, project, modelUrl: model.url, launcher: launcher ?? [] });
  try {
    await page.goto(host.url);
    await windowReady(page);
    const explorer = page.getByRole('region', { name: 'Explorer', exact: true });
    await explorer.getByRole('treeitem', { name: /^locked/ }).click();
    await expect(explorer).toContainText(/permission|may not|can.t be (read|listed)/i);
    await explorer.getByRole('treeitem', { name: /^secret\.txt/ }).dblclick();
    await expect(page.getByRole('region', { name: 'Editor', exact: true })).toContainText(
      /permission|may not/i,
    );
    model.push(
      calls('list_dir', { path: 'locked' }),
      calls('read_file', { path: 'secret.txt' }),
      calls('grep', { pattern: 'Adds' }),
      'I could not look into it.',
    );
    const chat = new Chat(page);
    await chat.send('What is in there?');
    await expect(chat.region).toContainText('I could not look into it.');
    const results = (model.requests.at(-1)?.body.messages ?? []).filter(({ role }) => role === 'tool');
    expect(String(results[0]?.content)).toMatch(/permission/i);
    expect(String(results[1]?.content)).toMatch(/permission/i);
    expect(String(results[2]?.content)).toContain('README.md');
  } finally {
    await host.stop();
    await chmod(join(project, 'locked'), 0o700);
  }
});

test('case-H10: a folder that goes away in the middle of work: the page says so, text stays, and it comes back', async ({
  window,
  chat,
  host,
  project,
  model,
}) => {
  const away = `${project}-away`;
  const editor = window.getByRole('region', { name: 'Editor', exact: true });
  await window.getByRole('treeitem', { name: /^README\.md/ }).dblclick();
  await editor.getByText('Adds numbers.').click();
  await window.keyboard.press('Control+End');
  await window.keyboard.type('Typed and not saved.');
  await chat.message.fill('A draft that must stay');
  await rename(project, away);
  try {
    await expect(editor.getByRole('alert').filter({ hasText: 'was moved or deleted' })).toContainText(
      'Your unsaved text is kept',
    );
    await expect(editor.getByRole('button', { name: 'Locate…' })).toBeVisible();
    await expect(editor).toContainText('Typed and not saved.');
    await chat.message.press('Enter');
    await expect(chat.region).toContainText('The message was not sent. It is still in the box.');
    await expect(chat.region).toContainText("The project's folder is gone");
    await expect(chat.message).toHaveValue('A draft that must stay');
    expect(model.requests).toHaveLength(0);
    expect(host.process.exitCode).toBeNull();
  } finally {
    await rename(away, project);
  }
  await expect(editor.getByText('was moved or deleted')).toBeHidden();
  await expect(window.getByRole('treeitem', { name: /^src/ })).toBeVisible();
  await editor.getByText('Typed and not saved.').click();
  await window.keyboard.press('Control+s');
  await expect.poll(() => readFile(join(project, 'README.md'), 'utf8')).toContain('Typed and not saved.');
  await writeFile(join(project, 'later.txt'), 'new\n');
  await expect(window.getByRole('treeitem', { name: /^later\.txt/ })).toBeVisible();
  model.push('All is well.');
  await chat.message.fill('And now?');
  await chat.message.press('Enter');
  await expect(chat.region).toContainText('All is well.');
});

test('case-H10: the folder of a clean window is deleted and made anew: a page says it is gone, then all works again', async ({
  window,
  chat,
  project,
  model,
}) => {
  await chat.message.fill('Kept while it is gone');
  await rm(project, { recursive: true });
  await expect(window.getByText('This folder is gone')).toBeVisible();
  await expect(window.getByRole('button', { name: 'Locate…' })).toBeVisible();
  await expect(chat.message).toHaveValue('Kept while it is gone');
  await mkdir(project);
  await writeFile(join(project, 'fresh.txt'), 'fresh\n');
  await expect(window.getByText('This folder is gone')).toBeHidden();
  await expect(window.getByRole('treeitem', { name: /^fresh\.txt/ })).toBeVisible();
  await writeFile(join(project, 'second.txt'), 'seen live\n');
  await expect(window.getByRole('treeitem', { name: /^second\.txt/ })).toBeVisible();
  model.push(calls('read_file', { path: 'fresh.txt' }), 'Read it.');
  await chat.message.press('Enter');
  await expect(chat.region).toContainText('Read it.');
});

test('case-H10: a folder that was renamed for good is located, and its sessions come along', async ({
  window,
  chat,
  project,
  model,
}) => {
  model.push('An answer to find again.');
  await chat.send('Remember me');
  await expect(chat.region).toContainText('An answer to find again.');
  await chat.idle();
  const moved = `${project}-moved`;
  await rename(project, moved);
  try {
    await window.getByRole('button', { name: 'Locate…' }).click();
    const dialog = window.getByRole('dialog', { name: 'Open a folder' });
    await dialog.getByRole('textbox', { name: 'Path' }).fill(moved);
    await dialog.getByRole('button', { name: 'Open this folder' }).click();
    await expect(window.getByText('This folder is gone')).toBeHidden();
    await windowReady(window);
    await expect(chat.region).toContainText('An answer to find again.');
    model.push('Here again.');
    await chat.send('Still there?');
    await expect(chat.region).toContainText('Here again.');
  } finally {
    await rename(moved, project);
  }
});
