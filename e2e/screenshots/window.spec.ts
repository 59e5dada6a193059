import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { ROOT, startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

const OUT = process.env.LATHE_SCREENSHOTS ?? join(ROOT, 'assets/screenshots');

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(OUT, `${name}.png`), animations: 'disabled' });
}

async function setTheme(page: Page, theme: 'Dark' | 'Light' | 'Contrast'): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').first().fill(`>theme ${theme}`);
  await page
    .getByRole('option', { name: new RegExp(theme, 'i') })
    .first()
    .click();
}

const ANSWER = [
  'Fixed: `add` adds now, and the test passes.',
  '',
  '| call | before | after |',
  '|---|---|---|',
  '| `add(2, 3)` | −1 | 5 |',
  '',
  '```js',
  'export function add(a, b) {',
  '  return a + b; // was minus',
  '}',
  '```',
  '',
  '- Nothing else changed',
  '  - `greet.js` was only read',
].join('\n');

test('the window with a turn, its approvals and its end', async ({ page: window, home, model, project }) => {
  test.setTimeout(180_000);
  // A shell without the name of the machine, and a model with the name of a real one.
  await writeFile(join(home, '.bashrc'), "PS1='\\W $ '\n");
  const host = await startHost({
    home,
    project,
    modelUrl: model.url,
    model: 'qwen3-coder',
    env: { HOME: home },
  });
  const chat = new Chat(window);
  await window.goto(host.url);
  await windowReady(window);
  model.push(
    {
      reasoning: 'The user wants add to work. I search for the minus first.',
      text: 'I look for the place first.',
      calls: [
        {
          tool: 'todo',
          args: {
            action: 'create',
            items: [
              { id: '1', content: 'Find the wrong operator', status: 'in_progress' },
              { id: '2', content: 'Fix it', status: 'pending' },
              { id: '3', content: 'Run the tests', status: 'pending' },
            ],
          },
        },
        { tool: 'grep', args: { pattern: 'a - b' } },
        { tool: 'read_file', args: { path: 'src/add.js' } },
      ],
    },
    calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }),
    calls('run_command', { command: 'node --test' }, 'The tests come next.'),
    ANSWER,
    calls('run_command', { command: 'git push --force origin main' }),
    'Not pushed.',
  );
  await window.getByRole('treeitem', { name: /^src/ }).click();
  await window.getByRole('treeitem', { name: /^test/ }).click();
  await window.getByRole('treeitem', { name: /^add\.js/ }).dblclick();
  await expect(window.locator('.monaco-editor').first()).toBeVisible();
  await window.locator('.xterm-helper-textarea').focus();
  await window.keyboard.type('git log --oneline');
  await window.keyboard.press('Enter');
  await chat.send('Make add work, run the tests and say what changed. Start in @src/add.js');
  await expect(chat.approval.getByRole('button', { name: 'Allow once' })).toBeEnabled();
  await shoot(window, 'approval-edit-dark');
  await chat.answer('Allow once');
  await expect(chat.approval).toContainText('node --test');
  await window.keyboard.press('Escape');
  await shoot(window, 'approval-card-dark');
  await chat.region.getByRole('button', { name: 'Allow once' }).click();
  await expect(chat.region).toContainText('Nothing else changed');
  await chat.idle();
  await shoot(window, 'window-dark');
  await setTheme(window, 'Light');
  await shoot(window, 'window-light');
  await setTheme(window, 'Contrast');
  await shoot(window, 'window-contrast');
  await setTheme(window, 'Dark');
  for (const [width, height] of [
    [1920, 1080],
    [1280, 800],
    [1024, 700],
    [720, 480],
  ] as const) {
    await window.setViewportSize({ width, height });
    await shoot(window, `window-${width}`);
  }
  await window.setViewportSize({ width: 1440, height: 900 });
  await chat.send('Push it');
  await expect(chat.approval).toBeVisible();
  await shoot(window, 'approval-danger-dark');
  await chat.answer('Deny');
  await chat.idle();
  await window.keyboard.press('Control+Shift+P');
  await shoot(window, 'palette-dark');
  await window.keyboard.press('Escape');
  await window.keyboard.press('Control+,');
  await expect(window.getByRole('region', { name: 'Settings', exact: true })).toBeVisible();
  await shoot(window, 'settings-dark');
  await host.stop();
});

test('the first page', async ({ page, home }) => {
  const host = await startHost({ home });
  await page.goto(host.url);
  await expect(page.getByText('Take the offline tour')).toBeVisible();
  await shoot(page, 'first-run-dark');
  await host.stop();
});
