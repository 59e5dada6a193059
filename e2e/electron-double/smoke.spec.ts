import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Bridge } from '../../shared/contract/names';
import { launchDouble, type ElectronDouble } from '../support/electron-double/launch-double';
import { expect, test as base, windowReady } from '../support/fixtures';
import { makeProject } from '../support/sample-project';
import { calls } from '../support/scripted-model/script-reply';

const test = base.extend<{ app: ElectronDouble }>({
  app: async ({ home, project }, use) => {
    const app = launchDouble({ home, args: [project] });
    await use(app);
    await app.dispose();
  },
});

/** Calls the core as the window does, over the preload's bridge. */
async function invoke<T>(page: Page, channel: string, input: unknown): Promise<T> {
  const envelope = await page.evaluate(
    async ([name, value]) => (window as unknown as { lathe: Bridge }).lathe.invoke(name, value),
    [channel, input] as const,
  );
  expect(envelope).toMatchObject({ ok: true });
  return (envelope as { value: T }).value;
}

async function useModel(page: Page, baseUrl: string): Promise<void> {
  const provider = { providerId: null, name: 'Scripted', baseUrl, apiKey: 'test-key' };
  const { id } = await invoke<{ id: string }>(page, 'model.configure', provider);
  await invoke(page, 'model.setDefault', { model: `${id}/scripted` });
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

test.describe('Electron double (not Electron)', () => {
  test('the compiled app starts, runs an approved turn, stops one and quits', async ({
    app,
    model,
    project,
  }) => {
    const page = await app.window();
    await windowReady(page);
    await useModel(page, model.url);

    model.push(
      calls('read_file', { path: 'src/add.js' }),
      calls('edit_file', { path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' }),
      'Fixed the sum.',
    );
    await ask(page, 'Fix add');
    const dialog = page.getByRole('dialog', { name: 'Approval' });
    await dialog.getByRole('button', { name: 'Allow once' }).click();
    await expect(page.getByText('Fixed the sum.')).toBeVisible();
    expect(await readFile(join(project, 'src/add.js'), 'utf8')).toContain('a + b');

    model.push({ text: 'Counting one two three', holdAfterChars: 8 });
    await ask(page, 'Count');
    await expect(page.getByText('Counting')).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();

    await app.control('menu.click', ['File', 'quit']);
    expect(await app.exited).toBe(0);
    expect(app.leftOver()).toEqual([]);
  });

  test('a short command is asked in a native message box, and only there', async ({
    app,
    model,
    project,
  }) => {
    const page = await app.window();
    await windowReady(page);
    await useModel(page, model.url);

    model.push(calls('run_command', { command: 'mkdir made-by-agent' }), 'The folder is there.');
    await ask(page, 'Make a folder');
    const box = await app.next('dialog');
    expect(box.options).toMatchObject({
      message: 'Run a command?',
      detail: expect.stringContaining(`mkdir made-by-agent\n\nFolder: ${project}`) as string,
      defaultId: 0,
      cancelId: 0,
    });
    const buttons = box.options['buttons'] as string[];
    expect(buttons[0]).toBe('Deny');
    await expect(page.getByRole('dialog', { name: 'Approval' })).toHaveCount(0);
    // Sooner than a person could have read it: asked again.
    await app.control('dialog.answer', { id: box.id, answer: buttons.indexOf('Allow once') });
    const again = await app.next('dialog');
    await page.waitForTimeout(600);
    await app.control('dialog.answer', { id: again.id, answer: buttons.indexOf('Allow once') });
    await expect(page.getByText('The folder is there.')).toBeVisible();
    expect(await readdir(project)).toContain('made-by-agent');

    model.push(calls('run_command', { command: 'mkdir second' }), 'Second is there.');
    await ask(page, 'Another one');
    const third = await app.next('dialog');
    await page.waitForTimeout(600);
    await app.control('dialog.answer', { id: third.id, answer: buttons.indexOf('Review…') });
    const dialog = page.getByRole('dialog', { name: 'Approval' });
    await dialog.getByRole('button', { name: 'Allow once' }).click();
    await expect(page.getByText('Second is there.')).toBeVisible();
  });

  test('sec-H04: the page goes nowhere, opens nothing and has no permission', async ({ app }) => {
    const page = await app.window();
    await windowReady(page);
    const start = page.url();
    await page.evaluate(() => {
      location.href = 'https://example.org/';
    });
    expect(await page.evaluate(() => window.open('https://example.org/', '_blank') === null)).toBeDefined();
    await expect(page.getByRole('region', { name: 'Chat', exact: true })).toBeVisible();
    expect(page.url()).toBe(start);
    await expect.poll(() => page.context().pages().length).toBe(1);
    const facts = await page.evaluate(async () => ({
      geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
      bridge: Object.keys((window as unknown as { lathe: object }).lathe),
      node: [
        typeof (globalThis as { process?: unknown }).process,
        typeof (globalThis as { require?: unknown }).require,
      ],
    }));
    expect(facts).toEqual({
      geolocation: 'denied',
      bridge: ['invoke', 'subscribe'],
      node: ['undefined', 'undefined'],
    });
    // Its own page may be loaded again: the new document gets streams of its own.
    await page.evaluate(() => location.reload());
    await windowReady(page);
  });

  test('a page that dies while a question is open leaves it denied', async ({ app, model, project }) => {
    const page = await app.window();
    await windowReady(page);
    await useModel(page, model.url);
    model.push(calls('write_file', { path: 'new.txt', content: 'x' }), 'I left it alone.');
    await ask(page, 'Write a file');
    await expect(page.getByRole('dialog', { name: 'Approval' })).toBeVisible();
    await app.control('crash');
    await model.waitForRequests(2);
    expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('not approved');
    expect(await readdir(project)).not.toContain('new.txt');
    const box = await app.next('dialog');
    expect(box.options).toMatchObject({ message: 'The window stopped working.' });
    await app.control('dialog.answer', { id: box.id, answer: 1 });
    expect(await app.exited).toBe(0);
  });

  test('sec-H03: a second start hands its folder to the running window and ends', async ({
    app,
    home,
    project,
  }) => {
    const page = await app.window();
    await windowReady(page);
    const other = await makeProject({ 'other.txt': 'other\n' });
    const second = launchDouble({ home, args: ['--inspect', '--user-data-dir=/tmp/x', other] });
    expect(await second.exited).toBe(0);
    await expect(page.getByRole('treeitem', { name: 'other.txt' })).toBeVisible();
    expect(project).not.toBe(other);
    await rm(other, { recursive: true, force: true });
  });
});
