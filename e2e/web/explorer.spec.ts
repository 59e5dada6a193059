import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../support/fixtures';

test('the tree follows the disk, dims what git ignores, and creates, renames and deletes', async ({
  window,
  project,
}) => {
  const explorer = window.getByRole('region', { name: 'Explorer', exact: true });
  const item = (name: string) => explorer.getByRole('treeitem', { name: new RegExp(`^${name}`) }).first();
  await expect(item('ignored')).toHaveAccessibleName(/ignored/);
  await writeFile(join(project, 'outside.txt'), 'x');
  await expect(item('outside\\.txt')).toBeVisible();

  await item('src').click();
  await explorer.getByRole('button', { name: /New file/ }).click();
  await window.keyboard.type('made.js');
  await window.keyboard.press('Enter');
  await expect.poll(() => readdir(join(project, 'src'))).toContain('made.js');
  await expect(item('made\\.js')).toBeVisible();

  await item('made\\.js').focus();
  await window.keyboard.press('F2');
  await window.keyboard.press('Control+a');
  await window.keyboard.type('named.js');
  await window.keyboard.press('Enter');
  await expect.poll(() => readdir(join(project, 'src'))).toContain('named.js');

  await item('named\\.js').focus();
  await window.keyboard.press('Delete');
  await window
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect.poll(() => readdir(join(project, 'src'))).not.toContain('named.js');
});

test('a name that is taken is refused in place, and nothing is overwritten', async ({ window, project }) => {
  const explorer = window.getByRole('region', { name: 'Explorer', exact: true });
  await explorer.getByRole('treeitem', { name: /^README\.md/ }).focus();
  await window.keyboard.press('F2');
  await window.keyboard.press('Control+a');
  await window.keyboard.type('AGENTS.md');
  await window.keyboard.press('Enter');
  await expect(explorer.getByRole('alert')).toContainText(/exists|already|taken/i);
  expect(await readFile(join(project, 'AGENTS.md'), 'utf8')).toBe('Keep functions small.\n');
});
