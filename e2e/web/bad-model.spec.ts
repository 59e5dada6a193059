import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { calls, type ChatBody, type ScriptReply } from '../support/scripted-model/script-reply';
import { startScriptedModel } from '../support/scripted-model/scripted-model';

async function serve(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener);
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
}

test('a refused key says so, offers the settings, and keeps message and key; fault-F31', async ({
  page,
  home,
  project,
}) => {
  const strict = await startScriptedModel({ apiKey: 'another-key' });
  const host = await startHost({ home, project, modelUrl: strict.url });
  try {
    await page.goto(host.url);
    await windowReady(page);
    const chat = new Chat(page);
    await chat.send('Hello there');
    await expect(chat.region).toContainText('refused the key');
    await expect(chat.region).toContainText('Check the key and its rights');
    await expect(chat.region).toContainText('Hello there');
    await chat.region.getByRole('button', { name: 'Open settings' }).click();
    await expect(page.getByRole('dialog', { name: 'Set up a model' })).toBeVisible();
    expect(strict.requests).toHaveLength(0);
  } finally {
    await host.stop();
    await strict.close();
  }
});

test('a server that is not there says which address and what to check; Retry works once it is up', async ({
  page,
  home,
  project,
}) => {
  const first = await startScriptedModel();
  await first.close();
  const host = await startHost({ home, project, modelUrl: first.url });
  const port = Number(new URL(first.url).port);
  try {
    await page.goto(host.url);
    await windowReady(page);
    const chat = new Chat(page);
    await chat.send('Anybody there?');
    await expect(chat.region).toContainText(/can.t be reached: nothing listens there/);
    await expect(chat.region.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expect(chat.region).toContainText(`Is the server at 127.0.0.1:${port} running?`);
    await using second = await startScriptedModel({ port, script: ['Here I am.'] });
    await chat.region.getByRole('button', { name: 'Retry' }).click();
    await expect(chat.region).toContainText('Here I am.');
    expect(second.requests).toHaveLength(1);
  } finally {
    await host.stop();
  }
});

test('fault-F19: a web page in place of an API is named as such; its markup is shown nowhere', async ({
  page,
  home,
  project,
}) => {
  const site = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      '<!doctype html><html><head><title>Hotel Wi-Fi</title></head><body>Please log in</body></html>',
    );
  });
  const host = await startHost({ home, project, modelUrl: site.url });
  try {
    await page.goto(host.url);
    await windowReady(page);
    const chat = new Chat(page);
    await chat.send('Hello');
    await expect(chat.region.getByRole('button', { name: 'Retry' })).toBeVisible();
    await expect(chat.region).toContainText(/web page|HTML/i);
    await expect(chat.region).toContainText('base URL');
    expect(await chat.region.textContent()).not.toContain('<');
  } finally {
    await host.stop();
    site.close();
  }
});

test('a model without tools says what the agent needs and offers another model', async ({
  page,
  home,
  project,
}) => {
  await using plain = await startScriptedModel({ noTools: true });
  const host = await startHost({ home, project, modelUrl: plain.url });
  try {
    await page.goto(host.url);
    await windowReady(page);
    const chat = new Chat(page);
    await chat.send('Change something');
    await expect(chat.region).toContainText("can't call tools");
    await expect(chat.region).toContainText('Choose a model that supports tool calling');
    await expect(chat.region.getByRole('button', { name: 'Choose model' })).toBeVisible();
    expect(plain.requests).toHaveLength(1);
  } finally {
    await host.stop();
  }
});

test('a stream of garbage ends with a message, and the next send works', async ({ chat, model }) => {
  const raw = 'data: {"choices":[{"delta":{"content":"Hal\n\ndata: }}}\n\n';
  const step = (body: ChatBody): ScriptReply | string =>
    String(body.messages.at(-1)?.content).startsWith('Hello')
      ? { raw, finish: null, usage: null }
      : 'Fine again.';
  model.push(...Array.from({ length: 12 }, () => step));
  await chat.send('Hello');
  await expect(chat.region.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(chat.region.getByRole('alert').last()).toContainText(/.{20,}/);
  expect(await chat.region.textContent()).not.toContain('}}}');
  await chat.send('Once more');
  await expect(chat.region).toContainText('Fine again.');
});

test('fault-F51: an empty reply is asked for once more, then told as such', async ({ chat, model }) => {
  model.push({ text: '' }, { text: '' }, { text: '' }, 'Now with words.');
  await chat.send('Say something');
  await expect(chat.region.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(chat.region).toContainText(/empty/i);
  expect(model.requests.length).toBeLessThanOrEqual(3);
});

test('fault-F22: an overload in mid-answer keeps the text and offers Continue', async ({ chat, model }) => {
  model.push(
    { text: 'The beginning of it', streamError: { type: 'overloaded_error', message: 'Overloaded, sorry' } },
    'and the rest.',
  );
  await chat.send('Tell');
  await expect(chat.region).toContainText('Overloaded, sorry');
  await expect(chat.region).toContainText('The beginning of it');
  await chat.region.getByRole('button', { name: 'Continue' }).click();
  await expect(chat.region).toContainText('and the rest.');
});

test('fault-F21: quota told inside a 200 stream is told to the user', async ({ chat, model }) => {
  model.push({
    text: '',
    streamError: { message: 'You exceeded your current quota', code: 'insufficient_quota' },
  });
  await chat.send('Tell');
  await expect(chat.region).toContainText('has no quota left');
  await expect(chat.region.getByRole('button', { name: 'Open settings' })).toBeVisible();
});

test('fault-F27, fault-F33: Retry-After counts down on screen, and Stop ends the wait at once', async ({
  chat,
  model,
}) => {
  model.push(
    { status: 429, headers: { 'retry-after': '40' }, body: { error: { message: 'Slow down' } } },
    'Late.',
  );
  await chat.send('Hello');
  await expect(chat.region).toContainText(/Next try in 3\d s\./);
  const first = Number(/Next try in (\d+) s/.exec((await chat.region.textContent()) ?? '')?.[1]);
  await expect
    .poll(async () => Number(/Next try in (\d+) s/.exec((await chat.region.textContent()) ?? '')?.[1]))
    .toBeLessThan(first);
  await chat.stop.click();
  await expect(chat.region).toContainText('Stopped by you.');
  await chat.idle();
  expect(model.requests).toHaveLength(1);
  await chat.send('Again');
  await expect(chat.region).toContainText('Late.');
});

test('fault-F28: three overloads, each wait visible, then one answer', async ({ chat, model }) => {
  const overloaded = {
    status: 529,
    headers: { 'retry-after': '1' },
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  };
  model.push(overloaded, overloaded, overloaded, 'Finally here.');
  await chat.send('Hello');
  await expect(chat.region).toContainText('Finally here.');
  await chat.idle();
  await expect(chat.region.getByText('Tried again.')).toHaveCount(3);
  await expect(chat.region.getByText('Finally here.')).toHaveCount(1);
  expect(model.requests).toHaveLength(4);
});

test('fault-F20: a connection that a proxy closed between two requests is not noticed by anybody', async ({
  chat,
  model,
}) => {
  model.push('One.');
  await chat.send('First');
  await expect(chat.region).toContainText('One.');
  await chat.idle();
  model.closeIdle();
  model.push(calls('read_file', { path: 'README.md' }), 'Two.');
  await chat.send('Second');
  await expect(chat.region).toContainText('Two.');
  await chat.idle();
  await expect(chat.region).not.toContainText('Tried again');
  expect(model.requests).toHaveLength(3);
});
