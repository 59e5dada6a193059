import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';

/** Resolves once the project is known by its repository: a moment after it was opened. */
const untilKnown = (home: string) =>
  expect
    .poll(async () => {
      // The folder comes with the first thing that is written down.
      const logs = await readdir(join(home, 'logs')).catch(() => []);
      const texts = await Promise.all(logs.map((name) => readFile(join(home, 'logs', name), 'utf8')));
      return texts.join('');
    })
    .toContain('known by its repository');

test('case-H04: a project that was moved to another disk is offered, and its sessions come along when the user says so', async ({
  model,
  project,
  home,
  page,
}) => {
  model.push('About tabs.');
  const first = await startHost({ home, project, modelUrl: model.url });
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('hello tabs');
  await expect(chat.region).toContainText('About tabs.');
  await chat.idle();
  await untilKnown(home);
  await first.stop();

  const moved = join(dirname(project), 'moved');
  await cp(project, moved, { recursive: true });
  await rm(project, { recursive: true });
  const second = await startHost({ home, project: moved, modelUrl: model.url });
  try {
    await page.goto(second.url);
    await windowReady(page);
    await expect(chat.region).not.toContainText('About tabs.');
    await expect(page.getByText('This project seems to have moved')).toBeVisible();
    await page.getByRole('button', { name: 'Relink', exact: true }).click();
    await expect(chat.region).toContainText('About tabs.');
    await expect(page.getByText('This project seems to have moved')).toBeHidden();
  } finally {
    await second.stop();
  }
});

test('case-idea-8: sessions of another tool are found, brought in once, and listed in their project', async ({
  window,
  home,
  project,
  chat,
}) => {
  const folder = join(home, '.claude/projects/-p');
  await mkdir(folder, { recursive: true });
  const record = (uuid: string, parentUuid: string | null, role: string, content: unknown) => ({
    ...{ type: role, uuid, parentUuid, cwd: project, timestamp: '2026-02-03T10:00:00.000Z' },
    message: { id: uuid, role, content },
  });
  const records = [
    record('u', null, 'user', 'hello from elsewhere'),
    record('a', 'u', 'assistant', [{ type: 'text', text: 'Hello back.' }]),
  ];
  await writeFile(join(folder, 'one.jsonl'), records.map((each) => JSON.stringify(each)).join('\n'));
  await window.keyboard.press('ControlOrMeta+Shift+P');
  await window.keyboard.type('Import from other tools');
  await window.keyboard.press('Enter');
  const dialog = window.getByRole('dialog', { name: 'Import from other tools' });
  await expect(dialog.getByRole('listitem')).toHaveText(/Claude Code\s*1 session in/);
  await dialog.getByRole('button', { name: 'Import from Claude Code' }).click();
  await expect(dialog.getByRole('listitem')).toContainText('1 session imported');
  await expect(dialog.getByRole('button', { name: 'Import from Claude Code' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const side = window.locator('#side-bar');
  await side.getByRole('tab', { name: /^Sessions/ }).click();
  await side
    .getByRole('list', { name: 'Sessions' })
    .getByRole('button', { name: /hello from elsewhere/ })
    .first()
    .click();
  await expect(chat.region).toContainText('Hello back.');
  await expect(chat.region).toContainText('Imported from Claude Code.');
});
