import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import type { Chat } from '../support/chat';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const LIST = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

const option = async (window: Page, query: string, name: RegExp | string): Promise<void> => {
  await window.keyboard.press('Control+Shift+P');
  await window.getByRole('combobox', { name: /command|file/i }).fill(`>${query}`);
  await window.getByRole('option', { name }).first().click();
};

async function change(chat: Chat, ask: string): Promise<void> {
  await chat.send(ask);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText(`Done: ${ask}`);
  await chat.idle();
}

for (const theme of ['Dark', 'Light', 'Contrast'] as const) {
  test(`axe finds nothing serious in the ${theme.toLowerCase()} window with undo, conflict, origins, log and search on screen`, async ({
    chat,
    model,
    project,
    window,
  }) => {
    if (theme !== 'Dark') await option(window, `theme ${theme}`, new RegExp(theme, 'i'));
    await writeFile(join(project, 'list.txt'), LIST);
    model.push(
      calls('edit_file', { path: 'list.txt', old_string: 'two', new_string: 'TWO' }),
      'Done: shout',
      calls('run_command', { command: 'rm src/greet.js && echo nine >> list.txt' }),
      'Done: tidy',
    );
    await change(chat, 'shout');
    await change(chat, 'tidy');
    const effects = chat.region.getByRole('group', { name: 'Files changed by the command' });
    await effects.getByRole('button', { expanded: false }).first().click();
    await window.getByRole('treeitem', { name: /^list\.txt/ }).dblclick();
    await option(window, 'line origins', 'Changes: Toggle line origins');
    await expect(window.locator('.monaco-editor .og').first()).toBeVisible();
    await option(window, 'who wrote', 'Changes: Who wrote this line?');
    await expect(window.getByRole('status', { name: 'Who wrote the line' })).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);

    const text = await readFile(join(project, 'list.txt'), 'utf8');
    await writeFile(join(project, 'list.txt'), text.replace('TWO', 'Zwei'));
    const first = chat.region.getByRole('article', { name: 'Turn' }).first();
    await first.getByRole('button', { name: 'Undo turn' }).click();
    const ask = window.getByRole('dialog', { name: 'Undo the turn?' });
    await expect(ask).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
    await ask.getByRole('button', { name: 'Undo', exact: true }).click();
    await chat.region.getByRole('button', { name: 'Resolve…' }).first().click();
    const conflict = window.getByRole('region', { name: 'Conflict', exact: true });
    await expect(conflict.locator('.monaco-editor').first()).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);

    await option(window, 'change log', 'Changes: Show change log');
    const log = window.getByRole('region', { name: 'Change log', exact: true });
    await log.getByRole('button', { expanded: false }).first().click();
    await window.setViewportSize({ width: 720, height: 480 });
    expect(await seriousIn(window)).toEqual([]);
    await window.setViewportSize({ width: 1440, height: 900 });
    await log.getByRole('button', { name: 'Find what broke a test…' }).click();
    const search = window.getByRole('region', { name: 'Find the change that broke a test' });
    await search.getByRole('textbox', { name: 'Test command' }).fill('node --version');
    await search.getByRole('button', { name: 'Start' }).click();
    await expect(search.getByRole('group', { name: 'Result' })).toBeVisible({ timeout: 60_000 });
    expect(await seriousIn(window)).toEqual([]);
  });
}
