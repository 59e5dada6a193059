import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

async function setTheme(window: Page, name: 'Dark' | 'Light' | 'Contrast'): Promise<void> {
  await window.keyboard.press('Control+Shift+P');
  const field = window.getByRole('combobox').first();
  await field.fill(`>theme ${name}`);
  await window
    .getByRole('option', { name: new RegExp(name, 'i') })
    .first()
    .click();
}

const background = (window: Page, selector: string): Promise<string> =>
  window
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

test('app, editor and terminal change their theme together', async ({ window }) => {
  await window.getByRole('treeitem', { name: /^README\.md/ }).dblclick();
  await expect(window.locator('.monaco-editor').first()).toBeVisible();
  await setTheme(window, 'Light');
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect.poll(() => background(window, '.monaco-editor .margin')).toBe('rgb(255, 255, 255)');
  await setTheme(window, 'Dark');
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(() => background(window, '.monaco-editor .margin')).toBe('rgb(26, 28, 32)');
});

for (const theme of ['Dark', 'Light'] as const) {
  test(`axe finds nothing serious in the ${theme.toLowerCase()} window, with a turn and an approval on screen`, async ({
    window,
    chat,
    model,
  }) => {
    if (theme !== 'Dark') await setTheme(window, theme);
    model.push(
      calls(
        'edit_file',
        { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' },
        'Here is a table:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
      ),
      'Done.',
    );
    await chat.send('Fix it');
    await expect(chat.approval.getByRole('button', { name: 'Allow once' })).toBeEnabled();
    const seriousIn = async (): Promise<unknown[]> => {
      const { violations } = await new AxeBuilder({ page: window })
        .exclude('.monaco-editor')
        .exclude('.xterm')
        .analyze();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
    };
    expect(await seriousIn()).toEqual([]);
    await chat.answer('Allow once');
    await expect(chat.region).toContainText('Done.');
    expect(await seriousIn()).toEqual([]);
  });
}

test('the page breaks no rule of its content security policy', async ({ page, host }) => {
  const broken: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) broken.push(message.text());
  });
  await page.goto(host.url);
  await page.getByRole('treeitem', { name: /^README\.md/ }).dblclick();
  await expect(page.locator('.monaco-editor').first()).toBeVisible();
  await expect(page.locator('.xterm-rows').first()).toContainText(/[$#%>]/);
  expect(broken).toEqual([]);
});
