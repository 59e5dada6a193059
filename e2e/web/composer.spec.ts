import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';

test('a file is pointed at with @, and the model is told its path', async ({ chat, model, window }) => {
  model.push('I see it.');
  await chat.message.click();
  await window.keyboard.type('Look at @gre');
  await expect(window.getByRole('option', { name: /greet\.js/ })).toBeVisible();
  await window.keyboard.press('Enter');
  await expect(chat.message).toHaveValue(/@src\/greet\.js/);
  await window.keyboard.press('Enter');
  await expect(chat.region).toContainText('I see it.');
  expect(JSON.stringify(model.requests[0]?.body.messages.at(-1))).toContain('src/greet.js');
});

test('Up brings back what was sent, the status bar says where one is, Escape leaves it', async ({
  chat,
  model,
  window,
}) => {
  const status = window.getByRole('region', { name: 'Status', exact: true });
  model.push('One.', 'Two.');
  await chat.send('first message');
  await expect(chat.region).toContainText('One.');
  await chat.idle();
  await chat.send('second message');
  await expect(chat.region).toContainText('Two.');
  await chat.idle();
  await chat.message.press('ArrowUp');
  await expect(chat.message).toHaveValue('second message');
  await expect(status).toContainText('hist 2/2');
  await chat.message.press('ArrowUp');
  await expect(chat.message).toHaveValue('first message');
  await expect(status).toContainText('hist 1/2');
  await chat.message.press('Escape');
  await expect(chat.message).toHaveValue('');
  await expect(status).not.toContainText('hist');
});

test('a draft survives a reload that comes right after its last letter', async ({ page, host, model }) => {
  model.push('One.');
  await page.goto(host.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('first message');
  await expect(chat.region).toContainText('One.');
  await chat.idle();
  await chat.message.fill('half a thought');
  await page.reload();
  await expect(chat.message).toHaveValue('half a thought');
});

test('Shift+Tab and /plan change the mode; in plan mode nothing can be written', async ({
  chat,
  model,
  window,
}) => {
  model.push(calls('write_file', { path: 'x.txt', content: 'x' }), 'A plan, then.');
  await expect(chat.region.getByRole('button', { name: 'Mode: Agent' })).toBeVisible();
  await chat.message.press('Shift+Tab');
  await expect(chat.region.getByRole('button', { name: 'Mode: Plan' })).toBeVisible();
  await chat.message.press('Shift+Tab');
  await expect(chat.region.getByRole('button', { name: 'Mode: Ask' })).toBeVisible();
  await chat.message.fill('/plan');
  await window.keyboard.press('Enter');
  await expect(chat.region.getByRole('button', { name: 'Mode: Plan' })).toBeVisible();
  await chat.send('Write it');
  await expect(chat.region).toContainText('A plan, then.');
  await expect(chat.approval).toBeHidden();
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toMatch(/plan/i);
});

test('a question of the agent is answered in the chat; the to-do list shows where it is', async ({
  chat,
  model,
}) => {
  model.push(
    calls('todo', {
      action: 'create',
      items: [
        { id: '1', content: 'Ask', status: 'in_progress' },
        { id: '2', content: 'Do', status: 'pending' },
      ],
    }),
    calls('ask_user', { question: 'Tabs or spaces?', options: ['Tabs', 'Spaces'] }),
    'Spaces it is.',
  );
  await chat.send('Format');
  await expect(chat.region.getByRole('group', { name: 'To-do' })).toContainText('Ask');
  await chat.region.getByRole('button', { name: 'Spaces', exact: true }).click();
  await expect(chat.region).toContainText('Spaces it is.');
  expect(model.requests[2]?.body.messages.at(-1)).toMatchObject({ role: 'tool' });
  expect(JSON.stringify(model.requests[2]?.body.messages.at(-1))).toContain('Spaces');
});

test('quick open finds a file by a few letters, the palette runs a command', async ({ window }) => {
  await window.keyboard.press('Control+p');
  await window.getByRole('combobox').first().fill('grt');
  await expect(window.getByRole('option').first()).toContainText('greet.js');
  await window.keyboard.press('Enter');
  const editor = window.getByRole('region', { name: 'Editor', exact: true });
  await expect(editor).toContainText('export const greet');
  await window.keyboard.press('Control+Shift+P');
  await window.getByRole('combobox').first().fill('>settings');
  await window.keyboard.press('Enter');
  await expect(window.getByRole('region', { name: 'Settings', exact: true })).toBeVisible();
});
