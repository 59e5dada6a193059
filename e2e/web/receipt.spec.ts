import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const edit = calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' });
const run = calls('run_command', { command: 'npm test' });

test('a true claim: the receipt lists files and commands with exit codes, and a click opens the file', async ({
  chat,
  model,
  window,
}) => {
  model.push(edit, run, calls('attempt_completion', { result: 'I fixed `src/add.js`. All tests pass.' }));
  await chat.send('Make add work');
  await chat.answer('Allow once');
  await chat.answer('Allow once');
  const receipt = chat.region.getByRole('group', { name: 'Evidence receipt' });
  await expect(receipt).toContainText('add.js changed +1 −1');
  await expect(receipt).toContainText('npm test exit 0');
  await expect(receipt.locator('q')).toHaveCount(0);
  const head = receipt.getByRole('button', { expanded: false });
  await head.focus();
  await window.keyboard.press('Enter');
  await expect(receipt.getByText('After the last edit', { exact: true })).toBeVisible();
  await expect(receipt.getByText('Claims with evidence', { exact: true })).toBeVisible();
  await receipt.getByRole('button', { name: 'src/add.js' }).click();
  await expect(window.getByRole('tab', { name: /add\.js/ })).toBeVisible();
});

test('a false claim is shown without evidence, with the reason, also while the receipt is folded', async ({
  chat,
  model,
}) => {
  model.push(run, edit, 'I fixed `src/add.js` and `src/greet.js`. I ran `npm run lint`. All tests pass.');
  await chat.send('Make add work');
  await chat.answer('Allow once');
  await chat.answer('Allow once');
  const receipt = chat.region.getByRole('group', { name: 'Evidence receipt' });
  await expect(receipt).toContainText('nothing run after the last edit');
  await expect(receipt).toContainText('All tests pass.');
  await expect(receipt).toContainText('The last test command ended with exit 1.');
  await expect(receipt).toContainText('No such command ran in this turn.');
  await expect(receipt).toContainText('No edit of src/greet.js succeeded in this turn.');
});

test('a receipt goes stale when a file it covers changes, and is fresh again when the bytes are back', async ({
  chat,
  model,
  project,
}) => {
  model.push(edit, 'Changed.');
  await chat.send('Make add work');
  await chat.answer('Allow once');
  const receipt = chat.region.getByRole('group', { name: 'Evidence receipt' });
  await expect(receipt).toContainText('add.js changed');
  await expect(receipt).not.toContainText('Stale');
  const file = join(project, 'src/add.js');
  await writeFile(file, 'export const add = 1;\n');
  await expect(receipt).toContainText('Stale: add.js changed since.');
  await writeFile(file, 'export function add(a, b) {\n  return a + b;\n}\n');
  await expect(receipt).not.toContainText('Stale');
  await writeFile(file, '');
  await chat.page.reload();
  await expect(receipt).toContainText('Stale: add.js changed since.');
});

test('a loop is ended with the reason, and what the guards did is in the chat (H3, H9)', async ({
  chat,
  model,
}) => {
  for (let i = 0; i < 16; i += 1) model.push(calls('list_dir', { path: 'src' }));
  model.push('I only listed a folder.');
  await chat.send('Look around');
  await expect(chat.region).toContainText('The same call was made 8 times in a row');
  await expect(chat.region).toContainText('The agent made the same call 16 times in a row');
  await expect(chat.region).toContainText('I only listed a folder.');
  await expect(chat.region.getByRole('button', { name: 'Continue', exact: true })).toBeVisible();
});

test('H18: the text of a step that only keeps the to-do list is not shown as an answer', async ({
  chat,
  model,
}) => {
  const todo = { action: 'create', items: [{ id: '1', content: 'Look', status: 'in_progress' }] };
  model.push(calls('todo', todo, 'First I write my list.'), 'I am done talking.');
  await chat.send('Hello');
  await expect(chat.region).toContainText('I am done talking.');
  await expect(chat.region).not.toContainText('First I write my list.');
  await expect(chat.region.getByRole('group', { name: 'To-do' })).toContainText('Look');
});
