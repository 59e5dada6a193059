import { existsSync } from 'node:fs';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';

const editor = (window: Page): Locator => window.getByRole('region', { name: 'Editor', exact: true });
const status = (window: Page): Locator => window.getByRole('region', { name: 'Status', exact: true });
const tabOf = (window: Page, name: RegExp): Locator => editor(window).getByRole('tab', { name });
const row = (window: Page, name: string): Locator =>
  window.getByRole('treeitem', { name: new RegExp(`^${name.replaceAll('.', '\\.')}`) });

async function topOf(window: Page, text: string): Promise<number> {
  // A line that is being drawn anew has no place for a moment.
  let top = -1;
  const look = async (): Promise<number> => {
    const box = await editor(window).locator('.view-line', { hasText: text }).boundingBox();
    return (top = Math.round(box?.y ?? -1));
  };
  await expect.poll(look).toBeGreaterThan(0);
  return top;
}

test('the status bar tells of the file only while the editor is what one sees', async ({ window }) => {
  await row(window, 'README.md').dblclick();
  await expect(status(window)).toContainText('Ln 1, Col 1');
  await window.keyboard.press('Control+,');
  await expect(editor(window).getByRole('button', { name: 'Close settings' })).toBeVisible();
  await expect(status(window)).not.toContainText('Ln 1');
  await editor(window).getByRole('button', { name: 'Close settings' }).click();
  await expect(status(window)).toContainText('Ln 1, Col 1');
});

test('case-D02: a clean file follows three changes above the caret: caret, scroll and undo stay what they were', async ({
  window,
  project,
}) => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
  const file = join(project, 'long.txt');
  await writeFile(file, `${lines.join('\n')}\n`);
  await row(window, 'long.txt').dblclick();
  await editor(window).getByText('line 3', { exact: true }).click();
  await window.keyboard.press('Control+Home');
  for (let at = 1; at < 120; at += 1) await window.keyboard.press('ArrowDown');
  await window.keyboard.press('End');
  await expect(status(window)).toContainText('Ln 120, Col 9');
  const before = await topOf(window, 'line 120');
  for (let round = 1; round <= 3; round += 1) {
    lines.splice(2, 1, `new ${round}`, `line 3 again ${round}`);
    await writeFile(file, `${lines.join('\n')}\n`);
    await expect(status(window)).toContainText(`Ln ${120 + round}, Col 9`);
    expect(await topOf(window, 'line 120')).toBe(before);
    await expect(tabOf(window, /long\.txt/)).not.toHaveAccessibleName(/unsaved/i);
  }
  await window.keyboard.type('x');
  await expect(tabOf(window, /long\.txt/)).toHaveAccessibleName(/unsaved/i);
  await window.keyboard.press('Control+z');
  await expect(tabOf(window, /long\.txt/)).not.toHaveAccessibleName(/unsaved/i);
  await expect(status(window)).toContainText('Ln 123, Col 9');
  expect(await readFile(file, 'utf8')).toBe(`${lines.join('\n')}\n`);
});

test('case-D04: an open file that is deleted keeps its tab and its text; saving brings it back', async ({
  window,
  project,
}) => {
  const file = join(project, 'README.md');
  await row(window, 'README.md').dblclick();
  await editor(window).getByText('Adds numbers.').click();
  await window.keyboard.press('Control+End');
  await window.keyboard.type('Typed.');
  await rm(file);
  await expect(editor(window)).toContainText('was deleted on disk');
  await expect(tabOf(window, /README\.md/)).toHaveAccessibleName(/deleted on disk/);
  await expect(editor(window)).toContainText('Typed.');
  await editor(window).getByRole('button', { name: 'Save again' }).click();
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe('# Sample\n\nAdds numbers.\nTyped.');
  await expect(tabOf(window, /README\.md/)).toHaveAccessibleName('README.md');
});

test('case-D07: one line of 30 MB is shown plain and read-only, and the window stays quick', async ({
  window,
  project,
}) => {
  await writeFile(join(project, 'bundle.js'), Buffer.alloc(30 * 1024 * 1024, 'x=1;'));
  await row(window, 'bundle.js').dblclick();
  await expect(editor(window)).toContainText('is shown plain and read-only', { timeout: 60_000 });
  await row(window, 'README.md').dblclick();
  await expect(editor(window)).toContainText('Adds numbers.');
});

test('case-D07: two million short lines open plain and read-only; the chat takes words and keys meanwhile and afterwards', async ({
  window,
  chat,
  project,
}) => {
  const LINES = 2_000_000;
  await writeFile(join(project, 'many.js'), 'a = 1\n'.repeat(LINES));
  await window.evaluate(() => {
    const held: number[] = [];
    new PerformanceObserver((list) =>
      held.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    });
    Object.assign(window, { held });
  });
  await row(window, 'many.js').dblclick();
  await chat.message.pressSequentially('typed while it opens');
  await expect(chat.message).toHaveValue('typed while it opens');
  await expect(editor(window)).toContainText('and over 300,000 lines is shown plain and read-only', {
    timeout: 60_000,
  });
  await expect(editor(window).locator('.view-line').first()).toBeVisible();
  await expect(status(window)).toContainText('Plain text');
  await chat.message.pressSequentially(', and after');
  await expect(chat.message).toHaveValue('typed while it opens, and after');
  await editor(window).locator('.view-line').first().click();
  await window.keyboard.press('Control+End');
  await expect(status(window)).toContainText(`Ln ${LINES + 1}`);
  await window.keyboard.type('x');
  await expect(tabOf(window, /many\.js/)).not.toHaveAccessibleName(/unsaved/i);
  await row(window, 'README.md').dblclick();
  await expect(editor(window)).toContainText('Adds numbers.');
  const held = await window.evaluate(() => (window as unknown as { held: number[] }).held);
  test.info().annotations.push({ type: 'long tasks, ms', description: held.map(Math.round).join(' ') });
  // Ten times what it takes on an idle machine.
  expect(Math.max(0, ...held)).toBeLessThan(2_000);
});

test('case-D09: a character that the file’s encoding lacks is asked about; nothing is written before the answer', async ({
  window,
  project,
}) => {
  const file = join(project, 'cafe.txt');
  const latin = Buffer.from('caf\u00e9 au lait\r\n'.repeat(20), 'latin1');
  await writeFile(file, latin);
  await row(window, 'cafe.txt').dblclick();
  await expect(status(window)).toContainText('Windows-1252');
  await editor(window).getByText('au lait').first().click();
  await window.keyboard.press('Control+Home');
  await window.keyboard.insertText('\u6f22 ');
  await window.keyboard.press('Control+s');
  const bar = editor(window).getByRole('alert');
  await expect(bar).toContainText('Your text is kept in Lathe.');
  expect(await readFile(file)).toEqual(latin);
  await bar.getByRole('button', { name: 'Save as UTF-8' }).click();
  await expect(bar).toBeHidden();
  await expect(status(window)).toContainText('UTF-8');
  const expected = `\u6f22 ${latin.toString('latin1')}`;
  expect(await readFile(file, 'utf8')).toBe(expected);
});

test('case-D12: a link and its file are one tab; a file that is renamed outside takes its unsaved text along', async ({
  window,
  project,
}) => {
  await symlink('README.md', join(project, 'link.md'));
  await row(window, 'README.md').dblclick();
  await expect(editor(window)).toContainText('Adds numbers.');
  await row(window, 'package.json').dblclick();
  await expect(tabOf(window, /^package\.json/)).toHaveAttribute('aria-selected', 'true');
  await row(window, 'link.md').dblclick();
  await expect(tabOf(window, /^README\.md/)).toHaveAttribute('aria-selected', 'true');
  await expect(editor(window).getByRole('tab')).toHaveCount(2);
  await rm(join(project, 'link.md'));
  await editor(window).getByText('Adds numbers.').click();
  await window.keyboard.press('Control+End');
  await window.keyboard.type('Typed before.');
  await rename(join(project, 'README.md'), join(project, 'readme.md'));
  await expect(tabOf(window, /^readme\.md/)).toHaveAccessibleName(/unsaved/i);
  await expect(editor(window).getByRole('tab')).toHaveCount(2);
  await editor(window).getByText('Adds numbers.').click();
  await window.keyboard.press('Control+s');
  await expect.poll(() => readFile(join(project, 'readme.md'), 'utf8')).toContain('Typed before.');
  expect(existsSync(join(project, 'README.md'))).toBe(false);
});
