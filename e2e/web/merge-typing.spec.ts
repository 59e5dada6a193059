import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, sentFrame, test, windowReady } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const LINES = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
const FILE = 'long.txt';

const editor = (window: Page): Locator => window.getByRole('region', { name: 'Editor', exact: true });
const place = (window: Page): Locator => window.getByRole('region', { name: 'Status', exact: true });
const tab = (window: Page): Locator => editor(window).getByRole('tab', { name: /long\.txt/ });

/** Opens the long file with the caret at the end of line 120 of 200, away from both ends of the text. */
async function openAtLine120(window: Page, project: string): Promise<void> {
  await writeFile(join(project, FILE), `${LINES.join('\n')}\n`);
  await window.getByRole('treeitem', { name: /^long\.txt/ }).dblclick();
  await editor(window).getByText('line 3', { exact: true }).click();
  await window.keyboard.press('Control+Home');
  for (let at = 1; at < 120; at += 1) await window.keyboard.press('ArrowDown');
  await window.keyboard.press('End');
  await expect(place(window)).toContainText('Ln 120, Col 9');
}

/** How far down on the screen a line is. */
async function topOf(window: Page, text: string): Promise<number> {
  // A line that is being drawn anew has no place for a moment.
  let top = -1;
  const look = async (): Promise<number> => {
    const box = await editor(window).locator('.view-line', { hasText: text }).boundingBox();
    return (top = Math.round(box?.y ?? -1));
  };
  await expect.poll(look).toBeGreaterThan(0);
  return top;
}

const onDisk = (project: string): Promise<string> => readFile(join(project, FILE), 'utf8');

test('case-D11: an agent’s edit is merged into the text that somebody is typing; caret and scroll stay', async ({
  window,
  chat,
  model,
  project,
}) => {
  await openAtLine120(window, project);
  await window.keyboard.type(' typed here');
  const before = await topOf(window, 'line 120');
  model.push(
    calls('edit_file', {
      path: FILE,
      edits: [
        { old_string: 'line 2\n', new_string: 'line two\nand a half\nand more\n' },
        { old_string: 'line 199', new_string: 'line one-nine-nine' },
      ],
    }),
    { text: 'It is changed.' },
  );
  await chat.send('Change it');
  await chat.answer('Allow once');
  await expect(window.getByText('Merged the agent’s change of 4 lines').first()).toBeVisible();
  await chat.idle();
  const result = model.requests.at(-1)?.body.messages.at(-1);
  expect(String(result?.content)).toContain('the editor has unsaved changes in this file');
  expect(await onDisk(project)).not.toContain('typed here');
  await expect(tab(window)).toHaveAccessibleName(/unsaved/i);
  await expect(editor(window)).not.toContainText('changed on disk');
  // Two lines more above it: the caret is in its line, and that is where it was on screen.
  await expect(place(window)).toContainText('Ln 122, Col 20');
  expect(await topOf(window, 'line 120 typed here')).toBe(before);
  await editor(window).getByText('line 120 typed here').click();
  await window.keyboard.press('End');
  await window.keyboard.type('!');
  await window.keyboard.press('Control+s');
  const expected = [...LINES];
  expected[119] = 'line 120 typed here!';
  expected[198] = 'line one-nine-nine';
  expected.splice(1, 1, 'line two', 'and a half', 'and more');
  await expect.poll(() => onDisk(project)).toBe(`${expected.join('\n')}\n`);
  await expect(tab(window)).not.toHaveAccessibleName(/unsaved/i);
});

test('case-D11: typing goes on while the file changes again and again; every key and every change is there', async ({
  window,
  project,
}) => {
  await openAtLine120(window, project);
  const lines = [...LINES];
  const typed = ' the quick brown fox jumps over the lazy dog and never loses a key';
  for (let round = 0; round * 11 < typed.length; round += 1) {
    lines[0] = `head ${round}`;
    lines.splice(3, 0, `new ${round}`);
    lines[150 + round * 2] = `tail ${round}`;
    await Promise.all([
      writeFile(join(project, FILE), `${lines.join('\n')}\n`),
      window.keyboard.type(typed.slice(round * 11, (round + 1) * 11), { delay: 15 }),
    ]);
    await expect(place(window)).toContainText(`Ln ${121 + round},`);
  }
  await window.keyboard.press('Control+s');
  const at = lines.indexOf('line 120');
  lines[at] = `line 120${typed}`;
  await expect.poll(() => onDisk(project)).toBe(`${lines.join('\n')}\n`);
});

test('case-D11: undo takes the merge out and asks, undoing the typing too follows the disk, and nothing is saved over', async ({
  window,
  project,
}) => {
  await openAtLine120(window, project);
  await window.keyboard.type('mine');
  const theirs = `theirs\n${LINES.join('\n')}\n`;
  await writeFile(join(project, FILE), theirs);
  await expect(place(window)).toContainText('Ln 121,');
  await window.keyboard.press('Control+z');
  await expect(place(window)).toContainText('Ln 120,');
  await expect(editor(window)).toContainText('changed on disk');
  await window.keyboard.press('Control+s');
  expect(await onDisk(project)).toBe(theirs);
  await window.keyboard.press('Control+y');
  await expect(editor(window)).not.toContainText('changed on disk');
  await expect(place(window)).toContainText('Ln 121,');
  await window.keyboard.press('Control+z');
  await window.keyboard.press('Control+z');
  await expect(tab(window)).not.toHaveAccessibleName(/unsaved/i);
  await expect(place(window)).toContainText('Ln 121, Col 9');
  await window.keyboard.press('Control+Home');
  await expect(editor(window)).toContainText('theirs');
  expect(await onDisk(project)).toBe(theirs);
});

test('case-D11: what an agent did while the window was gone is merged into the unsaved text that comes back', async ({
  page,
  home,
  host,
  model,
  project,
}) => {
  await writeFile(join(home, 'settings.jsonc'), '{ "chat.review.mode": "after" }\n');
  const kept = sentFrame(page, 'line 120mine');
  await page.goto(host.url);
  await windowReady(page);
  const chat = new Chat(page);
  await openAtLine120(page, project);
  await page.keyboard.type('mine');
  await kept;
  model.push(
    {
      ...calls('edit_file', { path: FILE, old_string: 'line 2\n', new_string: 'line two\n' }, 'I change it.'),
      holdAfterChars: 3,
    },
    { text: 'It is changed.' },
  );
  await chat.send('Change it');
  await expect(chat.region).toContainText('I c');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('about:blank');
  model.release();
  await expect.poll(() => onDisk(project)).toContain('line two');
  await page.goto(new URL('/', host.url).href);
  await windowReady(page);
  await expect(tab(page)).toHaveAccessibleName(/unsaved/i);
  await expect(page.getByText('Merged the agent’s change of 1 line', { exact: true }).first()).toBeVisible();
  await expect(editor(page)).not.toContainText('changed on disk');
  await editor(page).getByText('line 120mine').click();
  await page.keyboard.press('Control+s');
  const expected = LINES.with(1, 'line two').with(119, 'line 120mine');
  await expect.poll(() => onDisk(project)).toBe(`${expected.join('\n')}\n`);
});

test('case-D11, case-D01: the same line on both sides is asked about: see both, then take one', async ({
  window,
  project,
}) => {
  await openAtLine120(window, project);
  await window.keyboard.type(' mine');
  const theirs = `${LINES.with(119, 'line 120 theirs').join('\n')}\n`;
  await writeFile(join(project, FILE), theirs);
  const bar = editor(window).getByRole('alert');
  await expect(bar).toContainText('changed on disk while you edited it');
  for (const name of ['View diff', 'Reload', 'Keep mine'])
    await expect(bar.getByRole('button', { name })).toBeVisible();
  await bar.getByRole('button', { name: 'View diff' }).click();
  await expect(editor(window).getByText('line 120 theirs')).toBeVisible();
  await expect(editor(window).getByText('line 120 mine')).toBeVisible();
  await editor(window).getByRole('button', { name: 'Reload' }).click();
  await expect(tab(window).last()).not.toHaveAccessibleName(/unsaved/i);
  await expect(editor(window)).not.toContainText('line 120 mine');
  expect(await onDisk(project)).toBe(theirs);
});
