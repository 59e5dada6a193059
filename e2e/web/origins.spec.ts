import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import type { Chat } from '../support/chat';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const LIST = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

async function change(chat: Chat, ask: string): Promise<void> {
  await chat.send(ask);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText(`Done: ${ask}`);
  await chat.idle();
}

async function run(window: Page, command: string): Promise<void> {
  await window.keyboard.press('Control+Shift+P');
  await window.getByRole('combobox').first().fill(`>${command}`);
  await window.getByRole('option', { name: command }).first().click();
}

/** What stands in the column, from the top, by line. */
const marks = (window: Page): Promise<string[]> =>
  window.evaluate(() => {
    const numbers = [...document.querySelectorAll('.monaco-editor .line-numbers')];
    const lineAt = (top: number): string =>
      numbers.find((each) => Math.abs(each.getBoundingClientRect().top - top) < 2)?.textContent ?? '?';
    return [...document.querySelectorAll('.monaco-editor .og')]
      .map((mark) => ({
        top: mark.getBoundingClientRect().top,
        text: getComputedStyle(mark, '::before').content.replaceAll('"', ''),
      }))
      .sort((left, right) => left.top - right.top)
      .map(({ top, text }) => `${lineAt(top)}: ${text === 'none' ? '' : text}`);
  });

const lineOf = (window: Page, text: string): Locator =>
  window.locator('.monaco-editor .view-line').filter({ hasText: text }).first();

test.beforeEach(async ({ project, chat, model, window }) => {
  await writeFile(join(project, 'list.txt'), LIST);
  const edit = (from: string, to: string) =>
    calls('edit_file', { path: 'list.txt', old_string: from, new_string: to });
  model.push(
    edit('two\nthree', 'TWO\nTHREE'),
    'Done: shout twice',
    edit('five', 'FIVE'),
    'Done: shout again',
  );
  await change(chat, 'shout twice');
  await change(chat, 'shout again');
  await window.getByRole('treeitem', { name: /^list\.txt/ }).dblclick();
  await expect(lineOf(window, 'FIVE')).toBeVisible();
});

test('U: the column names the turn that wrote each line, follows edits and leads to the turn', async ({
  chat,
  project,
  window,
}) => {
  await run(window, 'Changes: Toggle line origins');
  await expect.poll(() => marks(window)).toEqual(['2: 1', '3: ', '5: 2']);
  expect(await seriousIn(window)).toEqual([]);
  const mark = window.locator('.monaco-editor .og').nth(2);
  await mark.hover();
  await expect(window.getByText('Turn 2: shout again')).toBeVisible();
  // Lines move along while they are edited, and what was saved is the user's.
  await lineOf(window, 'one').click();
  await window.keyboard.press('Home');
  await window.keyboard.type('zero');
  await window.keyboard.press('Enter');
  await expect.poll(() => marks(window)).toEqual(['3: 1', '4: ', '6: 2']);
  await window.keyboard.press('Control+S');
  await expect.poll(() => readFile(join(project, 'list.txt'), 'utf8')).toContain('zero\none');
  await expect.poll(() => marks(window)).toEqual(['1: U', '3: 1', '4: ', '6: 2']);
  await window.locator('.monaco-editor .og').nth(1).click();
  await expect(chat.region.locator('.ch-found')).toContainText('shout twice');
  await run(window, 'Changes: Toggle line origins');
  await expect(window.locator('.monaco-editor .og')).toHaveCount(0);
});

test('U: by keys alone: who wrote the line of the cursor, and the way to its turn', async ({
  chat,
  window,
}) => {
  await lineOf(window, 'FIVE').click();
  await run(window, 'Changes: Who wrote this line?');
  const answer = window.getByRole('status', { name: 'Who wrote the line' });
  await expect(answer).toContainText('Line 5: Turn 2: shout again – The agent');
  expect(await seriousIn(window)).toEqual([]);
  await answer.getByRole('button', { name: 'Show in chat' }).focus();
  await window.keyboard.press('Enter');
  await expect(chat.region.locator('.ch-found')).toContainText('shout again');
  await lineOf(window, 'eight').click();
  await run(window, 'Changes: Who wrote this line?');
  await expect(answer).toContainText('from before Lathe kept a log');
});
