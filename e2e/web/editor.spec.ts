import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, sentFrame, test, windowReady } from '../support/fixtures';

async function open(window: Page, ...path: string[]): Promise<void> {
  const tree = window.getByRole('tree');
  for (const name of path)
    await tree
      .getByRole('treeitem', { name: new RegExp(`^${name}`) })
      .first()
      .dblclick();
}

const editor = (window: Page) => window.getByRole('region', { name: 'Editor', exact: true });

test('open from the tree, type, see the dot, save; the file has the text', async ({ window, project }) => {
  await open(window, 'README.md');
  await expect(editor(window)).toContainText('Adds numbers.');
  await editor(window).getByText('Adds numbers.').click();
  await window.keyboard.press('Control+End');
  await window.keyboard.type('More text.');
  await expect(editor(window).getByRole('tab', { name: /README\.md/ })).toHaveAccessibleName(/unsaved/i);
  await window.keyboard.press('Control+s');
  await expect.poll(() => readFile(join(project, 'README.md'), 'utf8')).toContain('More text.');
  await expect(editor(window).getByRole('tab', { name: /README\.md/ })).not.toHaveAccessibleName(/unsaved/i);
});

test('case-D01: a file that changed on disk under unsaved edits is not overwritten', async ({
  window,
  project,
}) => {
  await open(window, 'README.md');
  await editor(window).getByText('Adds numbers.').click();
  await window.keyboard.press('Control+End');
  await window.keyboard.type('Mine.');
  await writeFile(join(project, 'README.md'), '# Theirs\n');
  await expect(editor(window)).toContainText('changed on disk');
  await window.keyboard.press('Control+s');
  expect(await readFile(join(project, 'README.md'), 'utf8')).toBe('# Theirs\n');
  await editor(window)
    .getByRole('button', { name: /Keep mine/ })
    .click();
  await expect.poll(() => readFile(join(project, 'README.md'), 'utf8')).toContain('Mine.');
});

test('case-D02: a clean file follows the disk without a question', async ({ window, project }) => {
  await open(window, 'README.md');
  await expect(editor(window)).toContainText('Adds numbers.');
  for (const text of ['One', 'Two', 'Three']) {
    await writeFile(join(project, 'README.md'), `# ${text}\n`);
    await expect(editor(window)).toContainText(`# ${text}`);
  }
  await expect(editor(window).getByRole('tab', { name: /README\.md/ })).not.toHaveAccessibleName(/unsaved/i);
});

test('unsaved text is there again after the window was reloaded (hot exit)', async ({
  page,
  host,
  project,
}) => {
  const backup = sentFrame(page, 'Not saved yet.');
  await page.goto(host.url);
  await windowReady(page);
  await open(page, 'README.md');
  await editor(page).getByText('Adds numbers.').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Not saved yet.');
  await backup;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(editor(page)).toContainText('Not saved yet.');
  await expect(editor(page).getByRole('tab', { name: /README\.md/ })).toHaveAccessibleName(/unsaved/i);
  expect(await readFile(join(project, 'README.md'), 'utf8')).not.toContain('Not saved yet.');
});

test('a binary file gets a notice, not garbage', async ({ window, project }) => {
  await writeFile(join(project, 'blob.bin'), Buffer.from([0, 1, 2, 3, 0, 255, 254]));
  await open(window, 'blob.bin');
  await expect(editor(window)).toContainText('This file is not text');
});
