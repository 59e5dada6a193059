import { Chat } from '../support/chat';
import { seriousIn } from '../support/axe';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { calls } from '../support/scripted-model/script-reply';

const waits = calls('run_command', { command: 'echo one' });

/** Begins a turn and puts its question off, so that it stands while the message box is used. */
async function standing(chat: Chat): Promise<void> {
  await chat.send('Begin');
  await expect(chat.approval).toBeVisible();
  await chat.page.keyboard.press('Escape');
  await expect(chat.approval).toBeHidden();
}

async function goOn(chat: Chat): Promise<void> {
  const card = chat.region.getByRole('group', { name: 'Pending approval' });
  await card.getByRole('button', { name: 'Allow once' }).click();
}

const queueOf = (chat: Chat) => chat.region.getByRole('group', { name: 'Queued messages' });

test('queued messages wait, can be changed and taken out, and are sent in order when the turn ends', async ({
  chat,
  model,
  window,
}) => {
  model.push(waits, 'Ran.', 'First done.', 'Third done.');
  await standing(chat);
  for (const text of ['first', 'second', 'third']) {
    await chat.message.fill(text);
    await chat.message.press('Alt+Enter');
    await expect(queueOf(chat)).toContainText(text);
  }
  await expect(chat.message).toHaveValue('');
  await expect(queueOf(chat).getByRole('listitem')).toHaveCount(3);
  await expect(queueOf(chat)).toContainText('sent when this turn ends');
  expect(await seriousIn(window)).toEqual([]);
  await queueOf(chat)
    .getByRole('listitem')
    .nth(1)
    .getByRole('button', { name: 'Take out of the queue' })
    .press('Enter');
  await expect(queueOf(chat).getByRole('listitem')).toHaveCount(2);
  await expect(chat.message).toBeFocused();
  await queueOf(chat).getByRole('button', { name: 'Change queued message' }).first().press('Enter');
  const editor = queueOf(chat).getByRole('textbox', { name: 'Queued message' });
  await expect(editor).toBeFocused();
  await editor.fill('FIRST');
  expect(await seriousIn(window)).toEqual([]);
  await editor.press('Enter');
  await expect(queueOf(chat).getByRole('listitem').first()).toContainText('FIRST');
  expect(model.requests).toHaveLength(1);
  await goOn(chat);
  await expect(chat.region).toContainText('Third done.');
  await expect(queueOf(chat)).toHaveCount(0);
  const said = model.requests.map(
    ({ body }) => body.messages.findLast(({ role }) => role === 'user')?.content,
  );
  expect(said.map((text) => String(text).split('\n')[0])).toEqual(['Begin', 'Begin', 'FIRST', 'third']);
});

test('each way to send has its place beside Send and does what it says', async ({ chat, model, window }) => {
  model.push(waits, waits, 'Stopped for this.', 'And then the queued one.');
  await standing(chat);
  const send = async (text: string, way: RegExp): Promise<void> => {
    await chat.message.fill(text);
    await chat.region.getByRole('button', { name: 'More ways to send' }).press('Enter');
    await window
      .getByRole('menu', { name: 'Ways to send' })
      .getByRole('menuitem', { name: way })
      .press('Enter');
    await expect(chat.message).toHaveValue('');
  };
  await send('Use tabs', /while it works/);
  await goOn(chat);
  // The steer reached the running turn before its next request.
  await expect(chat.approval).toBeVisible();
  expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'user', content: 'Use tabs' });
  await window.keyboard.press('Escape');
  await send('Later', /for after this turn/);
  await expect(queueOf(chat)).toContainText('Later');
  await send('Rather this', /Stop this turn/);
  await expect(chat.region).toContainText('Stopped for this.');
  await expect(chat.region).toContainText('And then the queued one.');
  await chat.idle();
  await expect(chat.region.getByRole('button', { name: 'More ways to send' })).toHaveCount(0);
});

test('Enter does what the setting says, Ctrl+Shift+Enter stops first', async ({ chat, model, window }) => {
  model.push(waits, waits, 'Now this.', 'Done.');
  await window.keyboard.press('Control+,');
  await window.getByRole('radio', { name: 'Queues' }).click();
  await window.getByRole('button', { name: 'Close settings' }).click();
  await standing(chat);
  await expect(chat.message).toHaveAttribute('placeholder', /^Queue the next message/);
  await chat.message.fill('Waits');
  await chat.message.press('Enter');
  await expect(queueOf(chat)).toContainText('Waits');
  await chat.message.fill('At once');
  await chat.message.press('Control+Shift+Enter');
  await expect(chat.approval).toBeVisible();
  expect(String(model.requests[1]?.body.messages.at(-1)?.content)).toMatch(/^At once/);
  await chat.answer('Allow once');
  await expect(chat.region).toContainText('Done.');
});

test('the queue survives a reload and a killed host, stands still then, and is sent on by hand', async ({
  home,
  model,
  page,
  project,
}) => {
  model.push(waits, 'The kept one.');
  const first = await startHost({ home, project, modelUrl: model.url });
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await standing(chat);
  await chat.message.fill('keep me');
  await chat.message.press('Alt+Enter');
  await expect(queueOf(chat)).toContainText('keep me');
  await page.reload();
  await windowReady(page);
  await expect(queueOf(chat)).toContainText('keep me');
  await first.kill();
  const second = await startHost({ home, project, modelUrl: model.url });
  await page.goto(second.url);
  await windowReady(page);
  await expect(queueOf(chat)).toContainText('keep me');
  await expect(queueOf(chat)).toContainText('held');
  await queueOf(chat).getByRole('button', { name: 'Send next' }).press('Enter');
  await expect(chat.region).toContainText('The kept one.');
  await expect(queueOf(chat)).toHaveCount(0);
  await second.stop();
});
