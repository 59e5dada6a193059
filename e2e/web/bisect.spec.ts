import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import type { Chat } from '../support/chat';
import { expect, test, type Fixtures } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

async function run(window: Page, command: string): Promise<void> {
  await window.keyboard.press('Control+Shift+P');
  await window.getByRole('combobox').first().fill(`>${command}`);
  await window.getByRole('option', { name: command }).first().click();
}

async function change(chat: Chat, ask: string): Promise<void> {
  await chat.send(ask);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText(`Done: ${ask}`);
  await chat.idle();
}

const edit = (from: string, to: string) =>
  calls('edit_file', { path: 'src/add.js', old_string: from, new_string: to });

/** The test passes at first; the second of three turns breaks it. */
async function threeTurns({
  chat,
  model,
  project,
}: Pick<Fixtures, 'chat' | 'model' | 'project'>): Promise<void> {
  await writeFile(join(project, 'src/add.js'), 'export function add(a, b) {\n  return a + b;\n}\n');
  model.push(edit('export function', '/** Adds. */\nexport function'), 'Done: tell');
  model.push(edit('a + b', 'a * b'), 'Done: break');
  model.push(calls('write_file', { path: 'src/more.js', content: 'export const more = 1;\n' }), 'Done: more');
  for (const ask of ['tell', 'break', 'more']) await change(chat, ask);
}

test('U: the search for what broke a test names the turn with the fault, shows and undoes it', async ({
  chat,
  model,
  project,
  window,
}) => {
  await threeTurns({ chat, model, project });
  await run(window, 'Changes: Find the change that broke a test…');
  const page = window.getByRole('region', { name: 'Find the change that broke a test' });
  expect(await seriousIn(window)).toEqual([]);
  const command = page.getByRole('textbox', { name: 'Test command' });
  await expect(command).toBeFocused();
  await command.fill('node --test');
  await window.keyboard.press('Enter');
  const result = page.getByRole('group', { name: 'Result' });
  await expect(result).toContainText(/turn 2/i, { timeout: 60_000 });
  await expect(result).toContainText('src/add.js');
  const runs = page.getByRole('list', { name: 'Runs' });
  await expect(runs).toContainText('passes');
  await expect(runs).toContainText('fails');
  expect(await seriousIn(window)).toEqual([]);
  await result.getByRole('button', { name: 'Show in chat' }).click();
  await expect(chat.region.locator('.ch-found')).toContainText('break');
  await result.getByRole('button', { name: 'Undo this change' }).click();
  await expect.poll(() => readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');
  await result.getByRole('button', { name: 'Show diff' }).click();
  await expect(window.getByRole('tab', { name: /^add\.js: change/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('U: a search is stopped, and goes on while one looks at something else', async ({
  chat,
  model,
  project,
  window,
}) => {
  await threeTurns({ chat, model, project });
  await run(window, 'Changes: Show change log');
  await window.getByRole('button', { name: 'Find what broke a test…' }).click();
  const page = window.getByRole('region', { name: 'Find the change that broke a test' });
  await page.getByRole('textbox', { name: 'Test command' }).fill('node -e "setTimeout(() => {}, 60_000)"');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('status')).toContainText(/Run 1 of/);
  await window.getByRole('button', { name: 'Close what broke a test' }).click();
  await run(window, 'Changes: Find the change that broke a test…');
  await expect(page.getByRole('status')).toContainText(/Run 1 of/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('status')).toContainText('Stopped');
  await expect(page.getByRole('button', { name: 'Start' })).toBeEnabled();
});
