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
    for (;;) {
      const next = await Promise.race([
        chat.approval.waitFor().then(() => 'asked' as const),
        chat.region
          .getByText(/\b11\b.*pass|pass.*\b11\b/i)
          .waitFor()
          .then(() => 'done' as const),
      ]);
      if (next === 'done') break;
      await chat.answer('Allow once');
      await expect(chat.approval).toBeHidden();
    }
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
    await dialog.getByRole('textbox', { name: 'Path' }).fill('/no/such/folder');
    await dialog.getByRole('button', { name: /^Open/ }).click();
    await expect(dialog).toContainText(/does not exist|not found|no folder/i);
    await dialog.getByRole('textbox', { name: 'Path' }).fill(project);
    await dialog.getByRole('button', { name: /^Open/ }).click();
    await windowReady(page);
  } finally {
    await host.stop();
  }
});
