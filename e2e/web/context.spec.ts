import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import { expect, test } from '../support/fixtures';
import { calls, type ChatBody } from '../support/scripted-model/script-reply';

const SUMMARY = Array.from({ length: 30 }, (_, n) => `Fact ${n} was found in file${n}.ts by step ${n}`).join(
  '. ',
);
const isSummary = ({ messages }: ChatBody): boolean =>
  String(messages[0]?.content).startsWith('You condense');

const page = (window: Page): Locator => window.getByRole('region', { name: 'Context', exact: true });

async function openFromPalette(window: Page): Promise<void> {
  await window.keyboard.press('Control+Shift+P');
  await window.getByRole('combobox').first().fill('>view context');
  await window
    .getByRole('option', { name: /View: Context/ })
    .first()
    .click();
  await expect(page(window)).toBeVisible();
}

test('the next request is listed item by item; keys and buttons pin, shorten, take out and restore', async ({
  window,
  chat,
  model,
  project,
}) => {
  await writeFile(join(project, 'long.txt'), 'line of text\n'.repeat(280));
  model.push(calls('read_file', { path: 'long.txt' }), 'I have read it.', 'And now.', 'Whole.');
  await chat.send('Read long.txt');
  await expect(chat.region).toContainText('I have read it.');
  await chat.idle();
  await chat.region.getByRole('button', { name: /^Context, / }).click();
  await window.getByRole('button', { name: 'Show what is in it' }).click();

  const view = page(window);
  await expect(view).toContainText('Next request');
  const list = view.getByRole('listbox', { name: 'Items of the next request' });
  await expect(list.getByRole('option', { name: /^System Instructions/ })).toBeVisible();
  await expect(list.getByRole('option', { name: /^You Read long\.txt/ })).toBeVisible();
  const result = list.getByRole('option', { name: /^Result .*long\.txt/ });
  await result.click();
  const detail = view.getByRole('group', { name: 'Chosen item' });
  await expect(detail).toContainText('line of text');

  await list.press('s');
  await expect(result).toHaveAccessibleName(/Shortened/);
  await detail.getByRole('button', { name: 'Take out' }).click();
  await expect(result).toHaveAccessibleName(/Taken out/);
  await chat.send('Go on');
  await expect(chat.region).toContainText('And now.');
  await chat.idle();
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('result left out');

  await list.press('r');
  await expect(result).not.toHaveAccessibleName(/Taken out/);
  await list.press('p');
  await expect(result).toHaveAccessibleName(/Pinned/);
  await chat.send('Once more');
  await expect(chat.region).toContainText('Whole.');
  await chat.idle();
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).not.toContain('result left out');
  await view.getByRole('radio', { name: 'Pinned' }).click();
  await expect(list.getByRole('option')).toHaveCount(1);
  await view.getByRole('textbox', { name: 'Filter' }).fill('no such thing');
  await expect(view).toContainText('Nothing fits.');
});

test('/compact summarises with a notice, and Undo brings the messages back into the request', async ({
  window,
  chat,
  model,
}) => {
  for (let n = 1; n <= 5; n += 1) {
    model.push(`Answer ${n}.`);
    await chat.send(`Question ${n}: ${'words and more words '.repeat(200)}`);
    await expect(chat.region).toContainText(`Answer ${n}.`);
    await chat.idle();
  }
  model.push((body) => (isSummary(body) ? SUMMARY : 'not a summary'));
  await chat.message.fill('/compact the file names');
  await chat.message.press('Enter');
  const notice = chat.region.locator('.ch-notice', { hasText: 'was summarised' });
  await expect(notice).toContainText('→');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('the file names');

  await openFromPalette(window);
  const view = page(window);
  await expect(view.getByRole('option', { name: /^Summary Summary of \d+ messages/ })).toBeVisible();
  await view.getByRole('button', { name: /Show \d+ summarised/ }).click();
  await expect(view.getByRole('option', { name: /^You Question 1/ })).toHaveAccessibleName(/In the summary/);
  await view.getByRole('tab', { name: /^Summaries/ }).click();
  const summaries = view.getByRole('list', { name: 'Summaries' });
  await expect(summaries).toContainText('Fact 3 was found');
  await expect(summaries).toContainText('In use');

  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect(notice).toContainText('Undone');
  await expect(summaries).toContainText('Undone');
  model.push('Back.');
  await chat.send('And?');
  await expect(chat.region).toContainText('Back.');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Question 1:');
});

test('rules are listed with why they count and what they cost, and open in the editor', async ({
  window,
  chat,
  model,
  project,
}) => {
  await writeFile(join(project, 'AGENTS.md'), 'Be brief.');
  await writeFile(join(project, '.cursorrules'), 'Legacy\u200b rules.');
  model.push('Hello.');
  await chat.send('Hi');
  await expect(chat.region).toContainText('Hello.');
  await chat.idle();
  await openFromPalette(window);
  const view = page(window);
  await view.getByRole('tab', { name: /^Rules/ }).click();
  const row = view.getByRole('row', { name: /AGENTS\.md/ });
  await expect(row).toContainText('always');
  await expect(view.getByRole('row', { name: /cursorrules/ })).toContainText(
    '1 hidden characters were taken out',
  );
  await row.getByRole('button', { name: 'AGENTS.md' }).click();
  await expect(window.getByRole('tab', { name: /AGENTS\.md/ })).toBeVisible();
});

for (const theme of ['dark', 'light', 'hc'] as const) {
  test(`axe finds nothing serious in the context view (${theme})`, async ({
    window,
    chat,
    model,
    project,
  }) => {
    await writeFile(join(project, 'AGENTS.md'), 'Be brief.');
    for (let n = 1; n <= 4; n += 1) {
      model.push(calls('read_file', { path: 'README.md' }), `Answer ${n}.`);
      await chat.send(`Question ${n}: ${'words and more words '.repeat(30)}`);
      await expect(chat.region).toContainText(`Answer ${n}.`);
      await chat.idle();
    }
    model.push((body) => (isSummary(body) ? SUMMARY : 'no'));
    await chat.message.fill('/compact');
    await chat.message.press('Escape');
    await chat.message.press('Enter');
    await expect(chat.region.locator('.ch-notice', { hasText: 'was summarised' })).toBeVisible();
    await openFromPalette(window);
    await window.evaluate((name) => {
      document.documentElement.dataset['theme'] = name;
    }, theme);
    const view = page(window);
    const list = view.getByRole('listbox', { name: 'Items of the next request' });
    await list
      .getByRole('option', { name: /^Result / })
      .first()
      .click();
    await list.press('p');
    await expect(list.getByRole('option', { name: /Pinned/ })).toBeVisible();
    for (const tab of [/^Items/, /^Rules/, /^Summaries/]) {
      await view.getByRole('tab', { name: tab }).click();
      expect(await seriousIn(window)).toEqual([]);
    }
  });
}
