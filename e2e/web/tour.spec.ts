import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';

test('first run: without key, server or project the offline tour does the main job, plainly labelled', async ({
  page,
  home,
}) => {
  const host = await startHost({ home });
  try {
    await page.goto(host.url);
    await expect(page.getByText('Open a folder').first()).toBeVisible();
    await page.getByRole('button', { name: /^Start/ }).click();
    await windowReady(page);
    const chat = new Chat(page);
    await chat.send('Find the failing test and fix it');
    await expect(chat.region).toContainText('Offline tour – scripted, no model');
    const passed = chat.region.getByText(/\b11\b.*pass|pass.*\b11\b/i).last();
    const allow = chat.approval.getByRole('button', { name: 'Allow once', exact: true });
    // As many questions as the tour asks; each is answered as it comes.
    await expect(async () => {
      if (await allow.isEnabled({ timeout: 200 }).catch(() => false)) await allow.click({ timeout: 500 });
      await expect(passed).toBeVisible({ timeout: 300 });
    }).toPass({ timeout: 45_000 });
    await chat.idle();
  } finally {
    await host.stop();
  }
});

test('a folder is opened by its path, a missing one says so', async ({ page, home, project }) => {
  const host = await startHost({ home });
  try {
    await page.goto(host.url);
    await page.getByRole('button', { name: /^Open…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Open a folder' });
    const path = dialog.getByRole('textbox', { name: 'Path' });
    // The home folder is proposed: what is typed takes its place.
    await expect(path).not.toHaveValue('');
    await page.keyboard.type('/no/such/folder');
    await expect(path).toHaveValue('/no/such/folder');
    await path.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText(/does not exist|no folder|not there/i);
    await path.fill(project);
    await path.press('Enter');
    await expect(dialog.getByRole('list', { name: 'Folders' })).toContainText('src');
    await path.press('Enter');
    await windowReady(page);
  } finally {
    await host.stop();
  }
});
