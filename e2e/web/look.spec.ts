import type { Page } from '@playwright/test';
import { seriousIn, tabThrough } from '../support/axe';
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
    expect(await seriousIn(window)).toEqual([]);
    await chat.answer('Allow once');
    await expect(chat.region).toContainText('Done.');
    expect(await seriousIn(window)).toEqual([]);
  });
}

for (const theme of ['Dark', 'Light', 'Contrast'] as const) {
  test(`axe finds nothing serious in the ${theme.toLowerCase()} window with what lies over and beside the chat`, async ({
    window,
    chat,
    model,
  }) => {
    if (theme !== 'Dark') await setTheme(window, theme);
    model.push(calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }), 'Done.');
    await chat.send('Fix it');
    await chat.approval.getByRole('button', { name: 'Open diff' }).click();
    await expect(window.getByRole('tab', { name: 'add.js: proposed' })).toBeVisible();
    await expect(chat.region.getByRole('button', { name: 'Allow once' })).toBeEnabled();
    expect(await seriousIn(window)).toEqual([]);
    await window.getByRole('button', { name: /^Model: .*,/ }).click();
    await expect(window.getByRole('menu', { name: 'Model' })).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
    await window.keyboard.press('Escape');
    await window.setViewportSize({ width: 720, height: 480 });
    expect(await seriousIn(window)).toEqual([]);
    await window.setViewportSize({ width: 1440, height: 900 });
    await window.keyboard.press('Control+,');
    await expect(window.getByRole('region', { name: 'Settings', exact: true })).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
  });
}

test('what waits and what it would change are reached by Tab, and the focus is seen on each', async ({
  window,
  chat,
  model,
}) => {
  const edit = calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' });
  model.push(
    edit,
    calls('edit_file', { path: 'src/greet.js', old_string: 'Hello', new_string: 'Hi' }),
    'Done.',
  );
  await chat.send('Fix it');
  await chat.answer('Allow once');
  await expect(chat.approval).toContainText('Hi');
  await window.keyboard.press('Escape');
  await expect(chat.region.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await chat.message.fill('Then say so');
  await chat.message.press('Alt+Enter');
  await expect(chat.region.getByRole('group', { name: 'Queued messages' })).toBeVisible();
  await chat.message.fill('Something else');
  await chat.region.getByRole('tab').first().focus();
  const stops = await tabThrough(window, 30);
  const names = stops.map(({ name }) => name);
  for (const name of [
    ...['1 waiting', 'Undo', 'Open diff', 'Allow once', 'Deny', 'Message', 'Stop', 'Send'],
    ...['Change queued message', 'Take out of the queue', 'More ways to send'],
  ]) {
    expect(names).toContain(name);
  }
  expect(names.filter((name) => name === 'Open diff')).toHaveLength(2);
  expect(stops.filter(({ ringed }) => !ringed)).toEqual([]);
});

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
