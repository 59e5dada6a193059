import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';
import type { ScriptedModel } from '../support/scripted-model/scripted-model';
import { startOnSmallDisk } from '../support/small-disk-host';

const MB = 1024 * 1024;

const editorOf = (window: Page): Locator => window.getByRole('region', { name: 'Editor', exact: true });
const treeRow = (window: Page, name: string): Locator =>
  window.getByRole('treeitem', { name: new RegExp(`^${name.replace('.', '\\.')}`) });

/** What the tools of the last turn answered, in order. */
const toolResults = (model: ScriptedModel): string[] =>
  (model.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));

/** A text file of `bytes`, whose needle stands at the end; real lines, so that searching it is real work. */
async function writeLarge(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  const block = Buffer.from(`${'one line of a long log file, much like the others\n'.repeat(21_000)}`);
  for (let written = 0; written < bytes; written += block.length) await file.write(block);
  await file.write('the needle at the end\n');
  await file.close();
}

test('case-D07: a file of 200 MB shows its beginning and why; the window stays quick', async ({
  window,
  chat,
  model,
  project,
}) => {
  await writeLarge(join(project, 'huge.txt'), 200 * MB);
  await treeRow(window, 'huge.txt').dblclick();
  await expect(editorOf(window)).toContainText('This file is too large to open');
  await expect(editorOf(window)).toContainText('one line of a long log file');
  model.push(
    calls('read_file', { path: 'huge.txt' }),
    calls('grep', { pattern: 'the needle' }),
    calls('edit_file', { path: 'huge.txt', old_string: 'the needle', new_string: 'a pin' }),
    'It is too large.',
  );
  await chat.send('Look at huge.txt');
  await expect(chat.region).toContainText('It is too large.', { timeout: 60_000 });
  await expect(chat.approval).toBeHidden();
  const [read = '', grep = '', edit = ''] = toolResults(model);
  expect(read.length).toBeLessThan(100_000);
  expect(read).toMatch(/start_line|large|cut|lines/i);
  expect(grep).toContain('huge.txt');
  expect(edit).toContain('the limit is 50.0 MB');
  expect((await stat(join(project, 'huge.txt'))).size).toBeGreaterThan(200 * MB);
});

test('case-D08: the model is told that a file is binary, and neither tool nor editor changes it', async ({
  window,
  chat,
  model,
  project,
}) => {
  const bytes = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 0, 255, 254, 10, 65, 66]);
  await writeFile(join(project, 'program'), bytes);
  await treeRow(window, 'program').dblclick();
  await expect(editorOf(window)).toContainText('This file is not text');
  await expect(editorOf(window)).toContainText('7f 45 4c 46');
  model.push(
    calls('read_file', { path: 'program' }),
    calls('edit_file', { path: 'program', old_string: 'AB', new_string: 'CD' }),
    'Not text.',
  );
  await chat.send('Change program');
  await expect(chat.region).toContainText('Not text.');
  const refusal: unknown = expect.stringMatching(/binary|not text|contents are not shown/i);
  expect(toolResults(model)).toEqual([refusal, refusal]);
  expect(await readFile(join(project, 'program'))).toEqual(bytes);
});

test('case-D09: a Latin-1 file shows its encoding, and a tool’s edit keeps it or is refused', async ({
  window,
  chat,
  model,
  project,
}) => {
  const text = 'Gr\u00fc\u00dfe aus K\u00f6ln\n'.repeat(20);
  await writeFile(join(project, 'gruss.txt'), Buffer.from(text, 'latin1'));
  await treeRow(window, 'gruss.txt').dblclick();
  model.push(
    calls('edit_file', { path: 'gruss.txt', old_string: 'aus K\u00f6ln', new_string: '\u6f22' }),
    'Could not.',
  );
  await chat.send('Put a Chinese character in');
  await expect(chat.region).toContainText('Could not.');
  expect(await readFile(join(project, 'gruss.txt'))).toEqual(Buffer.from(text, 'latin1'));
  expect(toolResults(model)[0]).toMatch(/encoding|character|unique|occurs/i);
});

test('bytes in no known encoding are left alone: a notice in the editor, an error for the tool', async ({
  window,
  chat,
  model,
  project,
}) => {
  // Valid in neither UTF-8 nor the legacy encodings that are recognised: undefined bytes among text.
  const bytes = Buffer.concat([
    Buffer.from('words '),
    Buffer.from([0x81, 0x8d, 0x90, 0xff, 0x9d]),
    Buffer.from(' end\n'),
  ]);
  await writeFile(join(project, 'odd.txt'), bytes);
  await treeRow(window, 'odd.txt').dblclick();
  await expect(editorOf(window)).toContainText('encoding is not known');
  await expect(editorOf(window)).toContainText('left as it is');
  model.push(
    calls('read_file', { path: 'odd.txt' }),
    calls('edit_file', { path: 'odd.txt', old_string: 'words', new_string: 'text' }),
    'Refused.',
  );
  await chat.send('Change odd.txt');
  await expect(chat.region).toContainText('Refused.');
  expect(toolResults(model)[1]).toMatch(/encoding/i);
  expect(await readFile(join(project, 'odd.txt'))).toEqual(bytes);
});

test('a full disk on saving: the file stays as it was, the typed text stays in the editor, and saving works later', async ({
  page,
  project,
  home,
  model,
}) => {
  await using place = await startOnSmallDisk(join(project, 'src'), 256, { home, project, model });
  const { host, inside } = place;
  await writeFile(inside('note.txt'), 'First line.\n');
  await writeFile(inside('fill'), Buffer.alloc(1024));
  await page.goto(host.url);
  await windowReady(page);
  await treeRow(page, 'src').click();
  await treeRow(page, 'note.txt').dblclick();
  await editorOf(page).getByText('First line.').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Typed on a full disk.');
  await writeFile(inside('fill'), Buffer.alloc(MB)).catch(() => undefined);
  await page.keyboard.press('Control+s');
  await expect(editorOf(page)).toContainText('the disk is full');
  await expect(editorOf(page)).toContainText('Your text is kept');
  await expect(editorOf(page)).toContainText('Typed on a full disk.');
  expect(await readFile(inside('note.txt'), 'utf8')).toBe('First line.\n');
  model.push(calls('write_file', { path: 'src/new.txt', content: 'x'.repeat(8000) }), 'No room, it seems.');
  const chat = new Chat(page);
  await chat.send('Write a file');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('No room, it seems.');
  expect(toolResults(model)[0]).toMatch(/disk is full/i);
  await writeFile(inside('fill'), '');
  await editorOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => readFile(inside('note.txt'), 'utf8')).toContain('Typed on a full disk.');
});
