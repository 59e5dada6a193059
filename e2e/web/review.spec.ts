import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { seriousIn } from '../support/axe';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import type { ScriptedModel } from '../support/scripted-model/scripted-model';
import type { ScriptCall } from '../support/scripted-model/script-reply';

const LINES = Array.from({ length: 40 }, (_, line) => `step(${line + 1});`);
const LIST = `${LINES.join('\n')}\n`;
const edit = (path: string, before: string, after: string): ScriptCall => ({
  tool: 'edit_file',
  args: { path, old_string: before, new_string: after },
});

/** What the list holds after changes of single steps. */
const listWith = (changed: Record<number, string>): string =>
  `${LINES.map((line, at) => changed[at + 1] ?? line).join('\n')}\n`;

test.beforeEach(async ({ home, project }) => {
  await writeFile(join(home, 'settings.jsonc'), '{ "chat.review.mode": "after" }\n');
  await writeFile(join(project, 'src/list.js'), LIST);
});

const view = (window: Page): Locator => window.getByRole('region', { name: 'Review', exact: true });
const change = (window: Page, name: RegExp): Locator => view(window).getByRole('group', { name });
const list = (project: string): Promise<string> => readFile(join(project, 'src/list.js'), 'utf8');
const add = (project: string): Promise<string> => readFile(join(project, 'src/add.js'), 'utf8');
const editorBar = (window: Page): Locator => window.getByRole('group', { name: 'Changes to review' });

/** Two turns: the first changes steps 5 and 20 of the list, the second step 35 and the other file. */
async function twoTurns(chat: Chat, model: ScriptedModel): Promise<void> {
  model.push(
    {
      calls: [
        edit('src/list.js', 'step(5);', 'first(5);'),
        edit('src/list.js', 'step(20);', 'first(20);\nmore();'),
      ],
    },
    'The list is changed.',
    { calls: [edit('src/list.js', 'step(35);', 'second(35);'), edit('src/add.js', 'a - b', 'a + b')] },
    'Both are changed.',
  );
  await chat.send('Change the list');
  await expect(chat.region).toContainText('The list is changed.');
  await chat.idle();
  await chat.send('Go on with the rest');
  await expect(chat.region).toContainText('Both are changed.');
  await chat.idle();
}

async function openReview(window: Page): Promise<void> {
  await window.keyboard.press('Control+Shift+G');
  await expect(view(window)).toBeVisible();
}

test('edits of two turns wait for review; one is accepted by key, one rejected, the bytes are exact and the model is told', async ({
  window,
  chat,
  model,
  project,
}) => {
  await twoTurns(chat, model);
  await expect(window.getByRole('button', { name: '2 files to review' })).toBeVisible();
  const strip = chat.region.getByRole('group', { name: /to review$/ });
  await expect(strip).toContainText('2 files · +5 −4');
  await strip.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(view(window)).toContainText('4 changes in 2 files');

  const filter = view(window).getByRole('combobox', { name: 'Which changes' });
  await filter.selectOption({ label: 'Turn 1: Change the list' });
  await expect(view(window)).toContainText('2 changes in 1 file');
  await expect(view(window).getByRole('listitem')).toHaveCount(1);
  await filter.selectOption({ label: 'All changes' });
  await expect(view(window)).toContainText('4 changes in 2 files');

  await view(window).getByRole('listitem').filter({ hasText: 'list.js' }).getByRole('button').click();
  const first = change(window, /^Change 1 of 3, src\/list\.js, line 5, Turn 1: Change the list/);
  await expect(first).toBeFocused();
  await window.keyboard.press('a');
  await expect(view(window).getByRole('status')).toHaveText('Accepted. 3 changes left.');
  const second = change(window, /^Change 1 of 2, src\/list\.js, lines 20–21/);
  await expect(second).toBeFocused();
  await window.keyboard.press('r');
  await expect(view(window).getByRole('status')).toHaveText('Rejected. 2 changes left.');
  await expect(change(window, /^Change 1 of 1, src\/list\.js, line 35, Turn 2/)).toBeFocused();
  const left = listWith({ 5: 'first(5);', 35: 'second(35);' });
  await expect.poll(() => list(project)).toBe(left);

  // A second look, from scratch: what was decided stays decided.
  await window.reload();
  await windowReady(window);
  await openReview(window);
  await expect(view(window)).toContainText('2 changes in 2 files');

  model.push('I see.');
  await chat.send('Anything else?');
  await expect(chat.region).toContainText('I see.');
  const told = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(told).toContain('rejected');
  expect(told).toContain('first(20);');
  expect(await list(project)).toBe(left);
});

test('what was decided and what waits outlives the host', async ({ page, home, project, model }) => {
  const start = () => startHost({ home, project, modelUrl: model.url });
  const before = await start();
  await page.goto(before.url);
  await windowReady(page);
  await twoTurns(new Chat(page), model);
  await openReview(page);
  await view(page).getByRole('listitem').filter({ hasText: 'list.js' }).getByRole('button').click();
  await expect(change(page, /^Change 1 of 3/)).toBeFocused();
  await page.keyboard.press('r');
  await expect.poll(() => list(project)).not.toContain('first(5)');
  await expect(change(page, /^Change 1 of 2, src\/list\.js/)).toBeFocused();
  await before.kill();
  const after = await start();
  await page.goto(after.url);
  await windowReady(page);
  await expect(page.getByRole('button', { name: '2 files to review' })).toBeVisible();
  await openReview(page);
  await expect(view(page)).toContainText('3 changes in 2 files');
  expect(await list(project)).toBe(listWith({ 20: 'first(20);\nmore();', 35: 'second(35);' }));
  await after.stop();
});

test('a reject is undone by key; files are rejected and accepted by Shift, and all by the buttons, with a question', async ({
  window,
  chat,
  model,
  project,
}) => {
  await twoTurns(chat, model);
  const whole = await list(project);
  await openReview(window);
  await expect(view(window).locator('[data-stop]:focus')).toHaveCount(1);
  await view(window).getByRole('listitem').filter({ hasText: 'list.js' }).getByRole('button').click();
  await window.keyboard.press('Shift+R');
  await expect.poll(() => list(project)).toBe(LIST);
  await expect(view(window)).toContainText('1 change in 1 file');
  await window.keyboard.press('u');
  await expect.poll(() => list(project)).toBe(whole);
  await expect(view(window).getByRole('status')).toHaveText(
    'The reject was undone: the agent’s lines are back in list.js.',
  );

  await view(window).getByRole('button', { name: 'Reject all' }).click();
  const question = window.getByRole('dialog', { name: /^Reject all changes in \d files?\?$/ });
  await expect(question).toContainText('src/add.js');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await add(project)).toContain('a + b');
  await view(window).getByRole('button', { name: 'Accept all' }).click();
  await expect(view(window)).toContainText('Nothing to review');
  await expect(window.getByRole('button', { name: /to review$/ })).toHaveCount(0);
  expect(await list(project)).toBe(whole);

  // Accepting all is taken back where nothing is left to have the focus; no file is touched.
  await window.keyboard.press('u');
  await expect(view(window)).toContainText('4 changes in 2 files');
  await expect(view(window).getByRole('status')).toHaveText(
    'The accept was undone: 4 changes in 2 files wait again.',
  );
  expect(await list(project)).toBe(whole);
  await view(window).getByRole('button', { name: 'Accept all' }).click();
  await expect(view(window)).toContainText('Nothing to review');
  await window.keyboard.press('Escape');
  await expect(chat.message).toBeFocused();
});

test('accepts are undone by key and by button, also after the window and the host began anew', async ({
  page,
  home,
  project,
  model,
}) => {
  const start = () => startHost({ home, project, modelUrl: model.url });
  const before = await start();
  await page.goto(before.url);
  await windowReady(page);
  await twoTurns(new Chat(page), model);
  const whole = await list(project);
  await openReview(page);
  await expect(view(page).getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
  await view(page).getByRole('listitem').filter({ hasText: 'list.js' }).getByRole('button').click();
  await expect(change(page, /^Change 1 of 3/)).toBeFocused();
  await page.keyboard.press('a');
  await expect(change(page, /^Change 1 of 2, src\/list\.js, lines 20–21/)).toBeFocused();
  await page.keyboard.press('u');
  await expect(change(page, /^Change 1 of 3, src\/list\.js, line 5/)).toBeVisible();
  await expect(view(page).getByRole('status')).toHaveText(
    'The accept was undone: 1 change in list.js waits again.',
  );
  await page.keyboard.press('Shift+A');
  await expect(view(page)).toContainText('1 change in 1 file');
  await before.stop();

  const after = await start();
  await page.goto(after.url);
  await windowReady(page);
  await openReview(page);
  await expect(view(page)).toContainText('1 change in 1 file');
  const undo = view(page).getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toHaveAttribute('title', 'Undo the accept of list.js (U)');
  await undo.click();
  await expect(view(page)).toContainText('4 changes in 2 files');
  await expect(
    page.getByText('The accept was undone: 3 changes in list.js wait again.').first(),
  ).toBeVisible();
  expect(await list(project)).toBe(whole);
  await after.stop();
});

test('the file in the editor shows its changes: keys walk, accept and reject them, and typing moves them along', async ({
  window,
  chat,
  model,
  project,
}) => {
  await twoTurns(chat, model);
  await openReview(window);
  await view(window).getByRole('listitem').filter({ hasText: 'list.js' }).getByRole('button').click();
  await expect(change(window, /^Change 1 of 3, src\/list\.js/)).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(editorBar(window)).toContainText('3 changes by the agent to review');
  await expect(window.locator('.er-bar').first()).toContainText('Change 1 of 3');
  await expect(window.locator('.er-removed').first()).toContainText('step(5);');
  await expect(window.getByRole('region', { name: 'Status' })).toContainText('Ln 5,');
  await window.keyboard.press('Alt+Enter');
  await expect(editorBar(window)).toContainText('2 changes by the agent to review');
  await window.keyboard.press('F7');
  await expect(window.getByRole('region', { name: 'Status' })).toContainText('Ln 20,');
  await window.keyboard.press('Alt+Backspace');
  await expect.poll(() => list(project)).toBe(listWith({ 5: 'first(5);', 35: 'second(35);' }));
  await expect(editorBar(window)).toContainText('1 change by the agent to review');

  // Lines of the user's own are no change of the agent; the mark goes with its line.
  await window.keyboard.press('Control+Home');
  await window.keyboard.type('// mine\n');
  await window.keyboard.press('F7');
  await expect(window.getByRole('region', { name: 'Status' })).toContainText('Ln 36,');
  await window.keyboard.press('Control+S');
  await expect.poll(() => list(project)).toContain('// mine');
  await expect(editorBar(window)).toContainText('1 change by the agent to review');
  await window.locator('.er-bar').getByText('Reject').click();
  await expect.poll(() => list(project)).toBe(`// mine\n${listWith({ 5: 'first(5);' })}`);
  await expect(editorBar(window)).toBeHidden();
});

test('a change that is opened is in view, with the bars and removed lines of all that come before it', async ({
  window,
  chat,
  model,
}) => {
  const at = [5, 12, 19, 26, 33];
  const changed = listWith(Object.fromEntries(at.map((line) => [line, `first(${line});`])));
  model.push(
    { calls: [{ tool: 'read_file', args: { path: 'src/list.js' } }] },
    { calls: [{ tool: 'write_file', args: { path: 'src/list.js', content: changed } }] },
    'The list is changed.',
  );
  await chat.send('Change the list');
  await expect(chat.region).toContainText('The list is changed.');
  await chat.idle();
  for (const [index, line] of at.entries()) {
    await openReview(window);
    const name = new RegExp(`^Change ${index + 1} of 5, src/list\\.js`);
    await change(window, name).focus();
    await window.keyboard.press('Enter');
    await expect(window.getByRole('region', { name: 'Status' })).toContainText(`Ln ${line},`);
    await expect(window.locator('.er-bar', { hasText: `Change ${index + 1} of 5` })).toBeInViewport();
    await expect(window.locator('.view-line', { hasText: `first(${line});` })).toBeInViewport();
    await window.keyboard.press('Alt+W');
  }
});

test('side by side the right side is the file: it is edited in place and saved as usual', async ({
  window,
  chat,
  model,
  project,
}) => {
  await twoTurns(chat, model);
  await openReview(window);
  const head = view(window).getByRole('group', { name: 'src/add.js', exact: true });
  await head.getByRole('button', { name: 'Open as side-by-side diff' }).click();
  await expect(window.getByRole('tab', { name: 'add.js: review' })).toHaveAttribute('aria-selected', 'true');
  const now = window.getByRole('textbox', { name: 'Now: src/add.js' });
  await expect(now).toBeFocused();
  await window.keyboard.press('Control+End');
  await window.keyboard.type('// checked\n');
  await expect(window.getByRole('tab', { name: /^add\.js: review, unsaved/ })).toBeVisible();
  await window.keyboard.press('Control+S');
  await expect.poll(() => add(project)).toBe('export function add(a, b) {\n  return a + b;\n}\n// checked\n');
  await expect(window.getByRole('tab', { name: 'add.js: review', exact: true })).toBeVisible();

  // A close with unsaved text asks, as for any file.
  await window.keyboard.type('// more\n');
  await window.keyboard.press('Alt+W');
  await window
    .getByRole('dialog')
    .getByRole('button', { name: /^Don.t save|Discard/ })
    .click();
  await expect(window.getByRole('tab', { name: /^add\.js: review/ })).toHaveCount(0);
  expect(await add(project)).not.toContain('// more');
});

test('a file that changes while it is looked at shows its new state, and one that goes away leaves the list', async ({
  window,
  chat,
  model,
  project,
}) => {
  await twoTurns(chat, model);
  await openReview(window);
  await expect(view(window)).toContainText('4 changes in 2 files');
  await writeFile(join(project, 'src/add.js'), 'export function add(a, b) {\n  return b - a;\n}\n');
  await expect(change(window, /^Change 1 of 1, src\/add\.js/)).toContainText('return b - a;');
  model.push({ calls: [edit('src/list.js', 'step(2);', 'third(2);')] }, 'Once more.');
  await chat.send('And step 2');
  await expect(chat.region).toContainText('Once more.');
  await expect(change(window, /^Change 1 of 4, src\/list\.js, line 2, Turn 3: And step 2/)).toBeVisible();
  await chat.idle();
  await rm(join(project, 'src/add.js'));
  await expect(view(window)).toContainText('4 changes in 1 file');
  await expect(view(window).getByRole('listitem')).toHaveCount(1);
});

test('what is no text is reviewed as a whole, and a file that a command deleted comes back', async ({
  window,
  chat,
  model,
  project,
}) => {
  const command = 'rm src/list.js && head -c 2000 /dev/zero > data.bin';
  model.push({ calls: [{ tool: 'run_command', args: { command } }] }, 'It has run.');
  await chat.send('Run it');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('It has run.');
  await chat.idle();
  await openReview(window);
  await expect(view(window)).toContainText('2 changes in 2 files');
  const whole = view(window).getByRole('group', { name: /^data\.bin\. A new file\. It is no text/ });
  await expect(whole).toBeFocused();
  await window.keyboard.press('r');
  await expect.poll(() => existsSync(join(project, 'data.bin'))).toBe(false);
  await expect(change(window, /^Change 1 of 1, src\/list\.js, at the top, Turn 1: Run it$/)).toBeFocused();
  await window.keyboard.press('r');
  await expect.poll(() => existsSync(join(project, 'src/list.js'))).toBe(true);
  expect(await list(project)).toBe(LIST);
  await expect(view(window)).toContainText('Nothing to review');
});

const strip = (chat: Chat): Locator => chat.region.getByRole('group', { name: /to review$/ });
const inChat = (chat: Chat): Locator =>
  strip(chat).getByRole('group', { name: 'Pending changes', exact: true });

test('in the chat the list opens by key, one change is rejected byte for byte, the rest accepted, and the list goes', async ({
  window,
  chat,
  model,
  project,
}) => {
  await twoTurns(chat, model);
  const toggle = strip(chat).getByRole('button', { name: 'Pending changes' });
  const row = (name: string | RegExp): Locator => inChat(chat).getByRole('group', { name, exact: true });
  await expect(strip(chat)).toContainText('2 files · +5 −4');
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.focus();
  await window.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(row('src/add.js')).toContainText('add.jssrc+1−1');

  // A hunk of a file: its line leads to the editor, R takes it back and the next one has the focus.
  await row('src/list.js')
    .getByRole('button', { name: /list\.js/ })
    .press('Enter');
  const first = row('src/list.js, line 5, Turn 1: Change the list');
  await expect(first).toContainText('first(5);');
  await expect(first.getByRole('deletion')).toHaveText(/step\(5\);/);
  expect(await seriousIn(window)).toEqual([]);
  await first.getByRole('button', { name: 'line 5' }).click();
  await expect(window.getByRole('region', { name: 'Status' })).toContainText('Ln 5,');
  await first.focus();
  await window.keyboard.press('r');
  // "Rejected. 3 changes left.", and soon what the transcript says of it.
  await expect(chat.region.getByRole('status').filter({ hasText: /^Rejected/ })).toHaveCount(1);
  await expect(row(/^src\/list\.js, lines 20–21/)).toBeFocused();
  const left = listWith({ 20: 'first(20);\nmore();', 35: 'second(35);' });
  await expect.poll(() => list(project)).toBe(left);

  // Folded and opened again, the file is still open.
  await window.keyboard.press('Escape');
  await expect(toggle).toBeFocused();
  await window.keyboard.press('Space');
  await expect(inChat(chat)).toHaveCount(0);
  await window.keyboard.press('Space');
  await expect(row(/^src\/list\.js, line 36/)).toBeVisible();
  await row('src/add.js').getByRole('button', { name: 'Accept file' }).click();
  await expect(row('src/add.js')).toHaveCount(0);
  await row('src/list.js').getByRole('button', { name: 'Accept file' }).click();
  await expect(strip(chat)).toHaveCount(0);
  await expect(chat.message).toBeFocused();
  expect(await list(project)).toBe(left);
  expect(await add(project)).toContain('a + b');
});

for (const theme of ['dark', 'light', 'hc'] as const) {
  test(`axe finds nothing serious in the review, its list in the chat and its marks in the editor (${theme})`, async ({
    window,
    chat,
    model,
  }) => {
    await twoTurns(chat, model);
    await window.evaluate((name) => {
      document.documentElement.dataset['theme'] = name;
    }, theme);
    await expect(strip(chat)).toContainText('2 files · +5 −4');
    await strip(chat).getByRole('button', { name: 'Pending changes' }).click();
    await inChat(chat)
      .getByRole('button', { name: /list\.js/ })
      .click();
    await expect(inChat(chat).getByRole('group', { name: /, line 5, / })).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
    await openReview(window);
    await expect(change(window, /^Change 1 of 3/)).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
    await window.setViewportSize({ width: 900, height: 700 });
    await expect(change(window, /^Change 1 of 3/)).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
    await window.setViewportSize({ width: 1440, height: 900 });
    await view(window).getByRole('button', { name: 'Reject all' }).click();
    await expect(window.getByRole('dialog')).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
    await window.keyboard.press('Escape');
    await view(window).getByRole('button', { name: 'Open', exact: true }).first().click();
    await expect(editorBar(window)).toBeVisible();
    expect(await seriousIn(window)).toEqual([]);
  });
}
