import { writeFile } from 'node:fs/promises';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { calls } from '../support/scripted-model/script-reply';
import { fillDisk, startOnSmallDisk } from '../support/small-disk-host';

test('fault-F114: on a full disk the turn waits and says so, and goes on by itself when there is room', async ({
  page,
  home,
  project,
  model,
}) => {
  await using place = await startOnSmallDisk(home, 16 * 1024, { home, project, model });
  const { host } = place;
  const filler = place.inside('filler');
  await page.goto(host.url);
  await windowReady(page);
  const chat = new Chat(page);
  model.push('Room enough still.');
  await chat.send('Hello');
  await expect(chat.region).toContainText('Room enough still.');
  await chat.idle();
  const long = 'A long answer that needs room. '.repeat(2000);
  model.push(
    { ...calls('read_file', { path: 'README.md' }, 'I begin.'), holdAfterChars: 2 },
    // Far more than the store can put into the space that it holds already.
    { text: long, reasoning: 'x'.repeat(1_500_000) },
    { text: 'And this is the end of it.' },
  );
  await chat.send('Tell me all');
  await model.waitForRequests(2);
  await fillDisk(filler);
  model.release();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('The disk is full');
  await expect(notices).toContainText('goes on when there is room');
  expect(host.process.exitCode).toBeNull();
  await chat.message.fill('Typed while the disk was full');
  await writeFile(filler, '');
  await expect(chat.region).toContainText('I begin.');
  await expect(chat.region).toContainText('A long answer that needs room.');
  await chat.idle();
  await expect(chat.message).toHaveValue('Typed while the disk was full');
  await page.reload();
  await windowReady(page);
  await expect(chat.region).toContainText('I begin.');
  await expect(chat.region).toContainText('A long answer that needs room.');
  await chat.send('And now?');
  await expect(chat.region).toContainText('And this is the end of it.');
});

test('fault-F114: Stop works while the disk is full, and the session goes on later', async ({
  page,
  home,
  project,
  model,
}) => {
  await using place = await startOnSmallDisk(home, 4096, { home, project, model });
  const { host } = place;
  const filler = place.inside('filler');
  await page.goto(host.url);
  await windowReady(page);
  const chat = new Chat(page);
  model.push({ text: `Begins. ${'Much text that needs room. '.repeat(2000)}`, holdAfterChars: 4 }, 'Later.');
  await chat.send('Tell me all');
  await expect(chat.region).toContainText('Begins.');
  await fillDisk(filler);
  model.release();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('The disk is full');
  await chat.stop.click();
  await writeFile(filler, '');
  await chat.idle();
  await chat.send('Go on');
  await expect(chat.region).toContainText('Later.');
  await expect(chat.region).toContainText('Begins.');
  expect(host.process.exitCode).toBeNull();
});

test('a message sent on a full disk is refused with the reason and stays in the box', async ({
  page,
  home,
  project,
  model,
}) => {
  await using place = await startOnSmallDisk(home, 4096, { home, project, model });
  const { host } = place;
  const filler = place.inside('filler');
  await page.goto(host.url);
  await windowReady(page);
  const chat = new Chat(page);
  await fillDisk(filler);
  const text = 'A message with much text. '.repeat(400).trim();
  await chat.message.fill(text);
  await chat.message.press('Enter');
  await expect(chat.region).toContainText('The message was not sent. It is still in the box.');
  await expect(chat.region).toContainText(/no room left on the disk/i);
  await expect(chat.message).toHaveValue(text);
  expect(host.process.exitCode).toBeNull();
  await writeFile(filler, '');
  model.push('Now there is room.');
  await chat.message.press('Enter');
  await expect(chat.region).toContainText('Now there is room.');
});
