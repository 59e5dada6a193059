import { readdir, rm } from 'node:fs/promises';
import { expect, test } from '../support/electron-double/app-fixture';
import { ask, useModel } from '../support/electron-double/app-window';
import { launchDouble } from '../support/electron-double/launch-double';
import { windowReady } from '../support/fixtures';
import { makeProject } from '../support/sample-project';
import { calls } from '../support/scripted-model/script-reply';

test.describe('Electron double (not Electron)', () => {
  test('sec-H04: the page goes nowhere, opens nothing and has no permission', async ({ app }) => {
    const page = await app.window();
    await windowReady(page);
    const start = page.url();
    await page.evaluate(() => {
      location.href = 'https://example.org/';
    });
    await page.evaluate(() => void window.open('https://example.org/', '_blank'));
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
    expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('Nobody answered');
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
