import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { startHost } from '../support/host';
import { startScriptedModel } from '../support/scripted-model/scripted-model';

const KEY = 'sk-typed-once-7f3a91c2';

async function openSetUp(page: Page, address: string, key: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add key…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up a model' });
  await dialog.getByRole('combobox', { name: 'Provider' }).selectOption({ label: 'Another address…' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Work gateway');
  await dialog.getByLabel('Address').fill(address);
  await dialog.getByLabel('Key', { exact: true }).fill(key);
  return dialog;
}

/** Every file below `folder` whose bytes hold `text`. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    paths.map(async (path) => ((await readFile(path)).includes(text) ? path : null)),
  );
  return found.filter((path) => path !== null);
}

test('from first run to a finished turn with an address of one’s own; the key is typed once and never seen again', async ({
  page,
  home,
  project,
}) => {
  await using model = await startScriptedModel({
    apiKey: KEY,
    models: [{ id: 'first' }, { id: 'second' }],
    script: ['A real answer.'],
  });
  const host = await startHost({ home });
  try {
    await page.goto(host.url);
    const dialog = await openSetUp(page, model.url, KEY);
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect(dialog.getByRole('status')).toContainText(/2 models/);
    await dialog.getByRole('combobox', { name: 'Default model' }).selectOption('second');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('A model is set up')).toBeVisible();
    await page.getByRole('button', { name: 'Change…' }).click();
    await expect(dialog.getByLabel('Key', { exact: true })).toHaveValue('');
    await expect(dialog.getByLabel('Key', { exact: true })).toHaveAttribute('placeholder', /A key is stored/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Open…/ }).click();
    const folder = page.getByRole('dialog', { name: 'Open a folder' });
    await folder.getByRole('textbox', { name: 'Path' }).fill(project);
    await folder.getByRole('button', { name: 'Open this folder' }).click();
    await windowReady(page);
    const chat = new Chat(page);
    await chat.send('Hello');
    await expect(chat.region).toContainText('A real answer.');
    expect(model.requests[0]).toMatchObject({
      body: { model: 'second' },
      headers: { authorization: `Bearer ${KEY}` },
    });

    expect(await page.content()).not.toContain(KEY);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain(KEY);
    expect(host.stderr()).not.toContain(KEY);
  } finally {
    await host.stop();
  }
  const holders = await filesWith(home, KEY);
  expect(holders).toHaveLength(1);
  expect((await stat(holders[0] ?? '')).mode & 0o777).toBe(0o600);
  expect(await filesWith(project, KEY)).toEqual([]);
});

test('the live check tells a wrong key, a missing server and a web page apart; what was typed stays', async ({
  page,
  home,
}) => {
  await using model = await startScriptedModel({ apiKey: 'the-right-key' });
  const gone = await startScriptedModel();
  await gone.close();
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<html><body>Log in</body></html>');
  });
  await new Promise<void>((ready) => void site.listen(0, '127.0.0.1', ready));
  const host = await startHost({ home });
  try {
    await page.goto(host.url);
    const dialog = await openSetUp(page, model.url, 'a-wrong-key');
    const result = dialog.getByRole('status');
    const check = dialog.getByRole('button', { name: 'Check' });
    await check.click();
    await expect(result).toContainText('refused the key');
    await expect(result).toContainText('Check the key');
    await expect(dialog.getByLabel('Key', { exact: true })).toHaveValue('a-wrong-key');
    await dialog.getByLabel('Address').fill(gone.url);
    await check.click();
    await expect(result).toContainText(/can.t be reached/);
    await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(site.address() as AddressInfo).port}/v1`);
    await check.click();
    await expect(result).toContainText('does not look like an OpenAI-compatible server');
    await expect(result).toContainText('base URL');
    await dialog.getByLabel('Address').fill(model.url.replace('/v1', ''));
    await dialog.getByLabel('Key', { exact: true }).fill('the-right-key');
    await check.click();
    await expect(result).toContainText(`Use ${model.url} as the base URL`);
    await dialog.getByLabel('Address').fill(model.url);
    await check.click();
    await expect(result).toContainText('1 model');
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Work gateway');
  } finally {
    await host.stop();
    site.close();
    site.closeAllConnections();
  }
});
