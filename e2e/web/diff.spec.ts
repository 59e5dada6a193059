import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const fix = calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' });

const editorOf = (page: Page): Locator => page.getByRole('region', { name: 'Editor', exact: true });

/** The texts of a comparison's two sides, by the name of each. */
const side = (page: Page, name: string): Locator =>
  editorOf(page).locator('.monaco-editor', {
    has: page.getByRole('textbox', { name: new RegExp(`^${name}: `) }),
  });

test('a write that waits is seen in the editor, approved from the card, and seen again from its diff card', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(
    fix,
    calls('edit_file', { path: 'src/add.js', old_string: 'a + b', new_string: 'b + a' }),
    'Done.',
  );
  await chat.send('Make add work');
  await chat.approval.getByRole('button', { name: 'Open diff' }).click();
  await expect(chat.approval).toBeHidden();
  await expect(window.getByRole('tab', { name: 'add.js: proposed' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(side(window, 'Before')).toContainText('return a - b;');
  await expect(side(window, 'Proposed by the agent')).toContainText('return a + b;');
  // Looking at it changed nothing, and the question still waits.
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a - b');
  const card = chat.region.getByRole('group', { name: 'Pending approval' });
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(chat.approval).toContainText('b + a');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done.');
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('b + a');
  // The first edit as it was then, though the file went on.
  await chat.region.getByRole('button', { name: 'Open diff' }).first().click();
  await expect(window.getByRole('tab', { name: 'add.js: edited' })).toHaveAttribute('aria-selected', 'true');
  await expect(side(window, 'Before')).toContainText('return a - b;');
  await expect(side(window, 'Edited by the agent')).toContainText('return a + b;');
});

test('the same by keys alone: from the dialog, and for the newest edit from wherever one is', async ({
  chat,
  model,
  window,
}) => {
  model.push(fix, 'Done.');
  await chat.send('Make add work');
  await expect(chat.approval).toBeVisible();
  await window.keyboard.press('Control+Shift+D');
  await expect(chat.approval).toBeHidden();
  await expect(side(window, 'Proposed by the agent')).toContainText('return a + b;');
  await expect(window.getByRole('textbox', { name: /^Proposed by the agent: / })).toBeFocused();
  await window.keyboard.press('Control+Shift+A');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done.');
  await chat.message.focus();
  await window.keyboard.press('Control+Shift+D');
  await expect(side(window, 'Edited by the agent')).toContainText('return a + b;');
  await expect(window.getByRole('textbox', { name: /^Edited by the agent: / })).toBeFocused();
});

test('an edit whose text is not kept any more says so on its card', async ({
  chat,
  home,
  model,
  project,
  window,
}) => {
  model.push(fix, 'Done.');
  await chat.send('Make add work');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done.');
  await rm(join(home, 'before'), { recursive: true });
  await rm(join(project, 'src/add.js'));
  await chat.region.getByRole('button', { name: 'Open diff' }).click();
  await expect(chat.region.getByRole('alert')).toContainText('is not kept any more');
  await expect(window.getByRole('tab', { name: /^add\.js: / })).toHaveCount(0);
});
