import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { ROOT, startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

const OUT = process.env.LATHE_SCREENSHOTS ?? join(ROOT, 'assets/screenshots');

async function shoot(page: Page, name: string): Promise<void> {
  // What only shows under the pointer belongs into no picture.
  await page.mouse.move(0, 0);
  await expect(page.locator('.monaco-editor .scrollbar.visible')).toHaveCount(0);
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
  const attribute = theme === 'Contrast' ? 'hc' : theme.toLowerCase();
  await expect(page.locator('html')).toHaveAttribute('data-theme', attribute);
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

const update = (...items: [id: string, status: string][]) => ({
  tool: 'todo',
  args: { action: 'update', items: items.map(([id, status]) => ({ id, status })) },
});
const one = (tool: string, args: Record<string, unknown>) => ({ tool, args });

const TURN = [
  {
    reasoning: 'The user wants add to work. I search for the minus first.',
    text: 'I look for the place first.',
    calls: [
      one('todo', {
        action: 'create',
        items: [
          { id: '1', content: 'Find the wrong operator', status: 'in_progress' },
          { id: '2', content: 'Fix it', status: 'pending' },
          { id: '3', content: 'Run the tests', status: 'pending' },
        ],
      }),
      one('grep', { pattern: 'a - b' }),
      one('read_file', { path: 'src/add.js' }),
    ],
  },
  {
    calls: [
      update(['1', 'completed'], ['2', 'in_progress']),
      one('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }),
    ],
  },
  {
    text: 'The tests come next.',
    calls: [update(['2', 'completed'], ['3', 'in_progress']), one('run_command', { command: 'node --test' })],
  },
  { calls: [update(['3', 'completed'])] },
  ANSWER,
];

/** The button that answers is there and takes presses. */
const ready = (where: Locator, name: 'Allow once' | 'Deny'): Promise<void> =>
  expect(where.getByRole('button', { name, exact: true })).toBeEnabled();

async function openSample(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: /^src/ }).click();
  await page.getByRole('treeitem', { name: /^test/ }).click();
  await page.getByRole('treeitem', { name: /^add\.js/ }).dblclick();
  await expect(page.locator('.monaco-editor').first()).toBeVisible();
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type('git log --oneline');
  await page.keyboard.press('Enter');
}

/** Messages that wait, and the ways to send another one. */
async function shootQueue(page: Page, chat: Chat): Promise<void> {
  for (const text of ['Then say in the README what add does', 'And tag it v1.0.1']) {
    await chat.message.fill(text);
    await chat.message.press('Alt+Enter');
    await expect(chat.region.getByRole('listitem').filter({ hasText: text })).toBeVisible();
  }
  await chat.message.fill('Use assert.strictEqual in the test');
  await chat.region.getByRole('button', { name: 'More ways to send' }).click();
  await shoot(page, 'queue-dark');
  await page.keyboard.press('Escape');
  await chat.message.fill('');
  const out = chat.region.getByRole('button', { name: 'Take out of the queue' });
  await out.first().click();
  await expect(out).toHaveCount(1);
  await out.click();
  await expect(out).toHaveCount(0);
}

/** The turn up to its end, with what waits on the way. */
async function playTurn(page: Page, chat: Chat): Promise<void> {
  await chat.send('Make add work, run the tests and say what changed. Start in @src/add.js');
  await ready(chat.approval, 'Allow once');
  await shoot(page, 'approval-edit-dark');
  await chat.approval.getByRole('button', { name: 'Open diff' }).click();
  const card = chat.region.getByRole('group', { name: 'Pending approval' });
  await ready(card, 'Allow once');
  const diff = page.locator('.monaco-diff-editor');
  await expect(diff.locator('.line-insert').first()).toBeVisible();
  await expect(diff.locator('.view-line span[class*="mtk"]:not(.mtk1)').first()).toBeVisible();
  await shoot(page, 'approval-diff-dark');
  await page.keyboard.press('Alt+w');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(chat.approval).toContainText('node --test');
  await page.keyboard.press('Escape');
  await ready(card, 'Allow once');
  await shoot(page, 'approval-card-dark');
  await shootQueue(page, chat);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(chat.region).toContainText('Nothing else changed');
  await chat.idle();
}

async function shootSizes(page: Page): Promise<void> {
  for (const [width, height] of [
    [1920, 1080],
    [1280, 800],
    [1024, 700],
    [720, 480],
  ] as const) {
    await page.setViewportSize({ width, height });
    await shoot(page, `window-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function shootDanger(page: Page, chat: Chat, name: string): Promise<void> {
  await chat.send('Push it');
  await ready(chat.approval, 'Deny');
  await shoot(page, name);
  await chat.answer('Deny');
  await expect(chat.region).toContainText('Not pushed.');
  await chat.idle();
}

async function shootSettings(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('region', { name: 'Settings', exact: true })).toBeVisible();
  await shoot(page, name);
  await page.getByRole('button', { name: 'Close settings' }).click();
}

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
  model.push(...TURN);
  await openSample(window);
  await playTurn(window, chat);
  await shoot(window, 'window-dark');
  await setTheme(window, 'Light');
  await shoot(window, 'window-light');
  await setTheme(window, 'Contrast');
  await shoot(window, 'window-contrast');
  await setTheme(window, 'Dark');
  await shootSizes(window);
  const push = calls('run_command', { command: 'git push --force origin main' });
  model.push(push, 'Not pushed.', push, 'Not pushed. It stays local.');
  await shootDanger(window, chat, 'approval-danger-dark');
  await window.keyboard.press('Control+Shift+P');
  await shoot(window, 'palette-dark');
  await window.keyboard.press('Escape');
  await shootSettings(window, 'settings-dark');
  await setTheme(window, 'Light');
  await shootSettings(window, 'settings-light');
  await shootDanger(window, chat, 'approval-danger-light');
  await host.stop();
});

test('the first page', async ({ page, home }) => {
  const host = await startHost({ home });
  await page.goto(host.url);
  await expect(page.getByText('Take the offline tour')).toBeVisible();
  await expect(page.getByText('No local models found')).toBeVisible();
  await shoot(page, 'first-run-dark');
  await host.stop();
});
