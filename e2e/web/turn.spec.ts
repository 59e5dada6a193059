import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

test('a real turn: search, read, an approved edit with its diff, an approved command, the answer', async ({
  chat,
  model,
  project,
  window,
}) => {
  model.push(
    calls('grep', { pattern: 'a - b' }, 'I look for it.'),
    calls('read_file', { path: 'src/add.js' }),
    calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }),
    calls('run_command', { command: 'node --test' }),
    'Fixed: `add` adds now.',
  );
  await chat.send('Make add work');
  await expect(chat.approval).toContainText('Change a file?');
  await expect(chat.approval).toContainText('a + b');
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a - b');
  await chat.answer('Allow once');
  await expect(chat.approval).toContainText('node --test');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Fixed: add adds now.');
  await chat.idle();
  expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');
  await expect(chat.region).toContainText('return a + b;');
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(sent).toMatch(/pass 1\b/);
  await expect(window.getByRole('region', { name: 'Status', exact: true })).toContainText('mock');
});

test('a denied command is not run, and the model goes on without it', async ({ chat, model, project }) => {
  model.push(calls('run_command', { command: 'touch made.txt' }), 'Then I leave it.');
  await chat.send('Make a file');
  await chat.answer('Deny');
  await expect(chat.region).toContainText('Then I leave it.');
  await expect(readFile(join(project, 'made.txt'))).rejects.toThrow();
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toMatch(/user/i);
});

test('a message sent while the turn runs steers it', async ({ chat, model }) => {
  model.push(calls('run_command', { command: 'echo one' }), 'With tabs, then.');
  await chat.send('Begin');
  await expect(chat.approval).toBeVisible();
  await chat.page.keyboard.press('Escape');
  await expect(chat.approval).toBeHidden();
  await chat.send('Use tabs');
  await chat.region
    .getByRole('group', { name: 'Pending approval' })
    .getByRole('button', { name: 'Allow once' })
    .click();
  await expect(chat.region).toContainText('With tabs, then.');
  expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'Use tabs' });
});

test('stop ends a streaming answer, keeps what was shown, and the session takes the next message', async ({
  chat,
  model,
}) => {
  model.push(
    { text: 'A long story that never ends because it is held back', holdAfterChars: 20 },
    'Short now.',
  );
  await chat.send('Tell me');
  await expect(chat.region).toContainText('A long story');
  await chat.stop.click();
  await chat.idle();
  await expect(chat.region).toContainText('A long story');
  await chat.send('Shorter');
  await expect(chat.region).toContainText('Short now.');
});

test('a provider fault says what happened and what to do; Retry asks again', async ({ chat, model }) => {
  model.push(
    {
      status: 400,
      body: { error: { message: 'The model refuses this request', type: 'invalid_request_error' } },
    },
    'Now it works.',
  );
  await chat.send('Hello');
  await expect(chat.region).toContainText('The model refuses this request');
  await chat.region.getByRole('button', { name: 'Retry' }).click();
  await expect(chat.region).toContainText('Now it works.');
});

test('a dropped stream keeps the text and offers Continue', async ({ chat, model }) => {
  model.push(
    { text: 'The first half of the answer, then the line goes dead', dropAfterChars: 30 },
    'and the second half.',
  );
  await chat.send('Explain');
  await expect(chat.region).toContainText('The first half');
  await chat.region.getByRole('button', { name: 'Continue' }).click();
  await expect(chat.region).toContainText('and the second half.');
  await expect(chat.region).toContainText('The first half');
});

test('an edit is taken back from its diff card', async ({ chat, model, project }) => {
  model.push(
    calls('edit_file', { path: 'README.md', old_string: 'Adds numbers.', new_string: 'Adds.' }),
    'Done.',
  );
  await chat.send('Shorten');
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done.');
  await chat.region.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => readFile(join(project, 'README.md'), 'utf8')).toContain('Adds numbers.');
  await expect(chat.region).toContainText('undone');
});

test('"Allow for session" asks no second time, also after a restart of the host', async ({
  page,
  model,
  project,
  home,
}) => {
  const command = calls('run_command', { command: 'npm test' });
  model.push(command, 'One.', command, 'Two.');
  const first = await startHost({ home, project, modelUrl: model.url });
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('Test');
  await chat.answer('Allow for session');
  await expect(chat.region).toContainText('One.');
  await chat.idle();
  await first.stop();
  const second = await startHost({ home, project, modelUrl: model.url });
  await page.goto(second.url);
  await windowReady(page);
  await expect(chat.region).toContainText('One.');
  await chat.send('Again');
  await expect(chat.region).toContainText('Two.');
  await expect(chat.approval).toBeHidden();
  await second.stop();
});
