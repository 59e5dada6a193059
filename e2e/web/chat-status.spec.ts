import type { Locator, Page } from '@playwright/test';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

const statusOf = (page: Page): Locator => page.getByRole('region', { name: 'Status', exact: true });

test('a low window shows the current to-do item alone until the list is opened', async ({
  chat,
  model,
  window,
}) => {
  const items = [
    { id: '1', content: 'Find the place', status: 'in_progress' },
    { id: '2', content: 'Fix it', status: 'pending' },
  ];
  model.push(calls('todo', { action: 'create', items }), 'Listed.');
  await window.setViewportSize({ width: 1280, height: 720 });
  await chat.send('Plan it');
  await expect(chat.region).toContainText('Listed.');
  const strip = chat.region.getByRole('group', { name: 'To-do' });
  await expect(strip).toContainText('0 of 2 done');
  await expect(strip).toContainText('Find the place');
  await expect(strip.getByRole('listitem')).toHaveCount(0);
  await strip.getByRole('button', { name: 'Open to-do list' }).press('Enter');
  await expect(strip.getByRole('listitem')).toHaveCount(2);
  await window.setViewportSize({ width: 1280, height: 900 });
  await strip.getByRole('button', { name: 'Fold to-do list' }).click();
  await expect(strip.getByRole('listitem')).toHaveCount(0);
  await window.setViewportSize({ width: 1280, height: 720 });
  await expect(strip.getByRole('listitem')).toHaveCount(0);
});

test('the model’s name stands whole in the status bar, its provider in full in the menu', async ({
  home,
  model,
  page,
  project,
}) => {
  const name = 'qwen3-coder-480b-a35b-instruct';
  const host = await startHost({ home, project, modelUrl: model.url, model: name });
  await page.goto(host.url);
  await windowReady(page);
  const item = statusOf(page).getByRole('button', { name: /^Model: / });
  await expect(item).toHaveText(`Model: ${name}, Command line`);
  expect(
    await item
      .locator('.ui-clip')
      .evaluateAll((all) => all.every((one) => one.scrollWidth <= one.clientWidth)),
  ).toBe(true);
  await expect(item).toHaveAttribute(
    'title',
    new RegExp(`^${name}, Command line \\(127\\.0\\.0\\.1:\\d+\\)$`),
  );
  await item.press('Enter');
  const menu = page.getByRole('menu', { name: 'Model' });
  await expect(menu).toContainText(name);
  await expect(menu).toContainText(/Command line \(127\.0\.0\.1:\d+\)/);
  await menu.getByRole('menuitem', { name: 'Choose a model…' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search models' })).toBeFocused();
  await host.stop();
});

test('what waits is said in the tab, the head of the chat and the status bar, and each leads to it', async ({
  chat,
  model,
  window,
}) => {
  model.push(calls('run_command', { command: 'echo one' }), 'Ran.');
  await chat.send('Run it');
  await expect(chat.approval).toBeVisible();
  await window.keyboard.press('Escape');
  const chip = chat.region.getByRole('button', { name: '1 waiting' });
  await chip.press('Enter');
  await expect(chat.approval).toBeVisible();
  await window.keyboard.press('Escape');
  await expect(chip).toBeFocused();
  // From another session, too: the tab leads to its own.
  await chat.newSession();
  const tab = chat.region.getByRole('tab', { name: /1 waiting/ });
  await expect(tab).toHaveAttribute('aria-selected', 'false');
  await tab.getByTitle('Go to what waits for your answer').click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(chat.approval).toBeVisible();
  await window.keyboard.press('Escape');
  await statusOf(window).getByRole('button', { name: '1 waiting' }).click();
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Ran.');
  await expect(chip).toHaveCount(0);
  await expect(statusOf(window)).not.toContainText('waiting');
});

test('a question that waits is counted, and the chip puts the focus on it', async ({ chat, model }) => {
  model.push(calls('ask_user', { question: 'Tabs or spaces?', options: ['Tabs', 'Spaces'] }), 'Fine.');
  await chat.send('Format');
  await expect(chat.region.getByRole('button', { name: 'Tabs', exact: true })).toBeVisible();
  await chat.region.getByRole('button', { name: '1 waiting' }).press('Enter');
  await expect(chat.region.getByRole('button', { name: 'Tabs', exact: true })).toBeFocused();
  await chat.region.getByRole('button', { name: 'Tabs', exact: true }).press('Enter');
  await expect(chat.region).toContainText('Fine.');
});
