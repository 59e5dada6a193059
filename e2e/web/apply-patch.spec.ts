import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

const PATCH = [
  '*** Begin Patch',
  '*** Update File: src/add.js',
  '@@ export function add(a, b) {',
  '-  return a - b;',
  '+  return a + b;',
  '*** Update File: src/greet.js',
  '*** Move to: src/hello.js',
  '*** Add File: src/twice.js',
  '+export const twice = (n) => n * 2;',
  '*** End Patch',
].join('\n');

test('E4: a patch over several files is shown whole before it is written, and each file is taken back by itself', async ({
  chat,
  model,
  project,
}) => {
  model.push(calls('apply_patch', { patch: PATCH }), 'Done.');
  await chat.send('Fix add, rename greet, add twice');
  for (const text of ['return a + b;', 'hello.js', 'n * 2']) await expect(chat.approval).toContainText(text);
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a - b');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done.');
  expect((await readdir(join(project, 'src'))).sort()).toEqual(
    expect.arrayContaining(['add.js', 'hello.js', 'twice.js']),
  );
  const card = (name: string) => chat.region.getByRole('figure', { name: new RegExp(`^Change in ${name},`) });
  await card('hello.js').getByRole('button', { name: 'Undo' }).click();
  await expect(card('hello.js')).toContainText('undone');
  await card('twice.js').getByRole('button', { name: 'Undo' }).click();
  await expect(card('twice.js')).toContainText('undone');
  const names = await readdir(join(project, 'src'));
  expect(names).toContain('greet.js');
  expect(names).not.toContain('hello.js');
  expect(names).not.toContain('twice.js');
  // The other file of the patch stays as the patch left it.
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');
});

test('E2: a card says how its text was found where that was not exactly', async ({
  chat,
  model,
  project,
}) => {
  const old_string = 'export function add(a, b) {\n    return a - b;\n}';
  model.push(
    calls('edit_file', { path: 'src/add.js', old_string, new_string: old_string.replace('-', '+') }),
    'Done.',
  );
  await chat.send('Fix add');
  await expect(chat.approval).toContainText('matched by indentation-flexible');
  await chat.answer('Allow once');
  await expect(chat.region.getByRole('figure')).toContainText('matched by indentation-flexible');
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toBe(
    'export function add(a, b) {\n  return a + b;\n}\n',
  );
});
