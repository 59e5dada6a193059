import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Chat } from '../support/chat';
import { expect, test, windowReady } from '../support/fixtures';
import { NODE, ROOT, startHost } from '../support/host';

test('fault-F113: a damaged store is set aside, the window says where it is, and work goes on', async ({
  page,
  home,
  project,
  model,
}) => {
  model.push('Before.', 'After.');
  const first = await startHost({ home, project, modelUrl: model.url });
  await page.goto(first.url);
  await windowReady(page);
  const chat = new Chat(page);
  await chat.send('One');
  await expect(chat.region).toContainText('Before.');
  await chat.idle();
  await first.stop();
  const store = await open(join(home, 'lathe.db'), 'r+');
  await store.write(Buffer.alloc(4096), 0, 4096, 0);
  await store.close();

  const second = await startHost({ home, project, modelUrl: model.url });
  try {
    await page.goto(second.url);
    await windowReady(page);
    const notices = page.getByRole('region', { name: 'Notices' });
    await expect(notices).toContainText('was damaged');
    const folder = (await readdir(home)).find((name) => name.startsWith('corrupt-')) ?? 'none';
    await expect(notices).toContainText(join(home, folder));
    expect(await readdir(join(home, folder))).toContain('lathe.db');
    await chat.send('Two');
    await expect(chat.region).toContainText('After.');
  } finally {
    await second.stop();
  }
});

test('fault-F117: torn settings and rules files are told with file and line; the window works with what is left', async ({
  page,
  home,
  project,
  model,
}) => {
  const settings = '{\n  "workbench.colorTheme": "light",\n  "editor.fontSize": 15,\n  "editor.tabSi';
  const rules =
    '[\n  { "action": "run_command", "resource": "rm *", "effect": "deny" },\n  { "action": "grep", "eff';
  await writeFile(join(home, 'settings.jsonc'), settings);
  await writeFile(join(home, 'rules.jsonc'), rules);
  const host = await startHost({ home, project, modelUrl: model.url });
  try {
    await page.goto(host.url);
    await windowReady(page);
    const notices = page.getByRole('region', { name: 'Notices' });
    await expect(notices).toContainText(/settings\.jsonc, line 4/);
    await expect(notices).toContainText(/rules\.jsonc:3/);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    model.push('Works.');
    const chat = new Chat(page);
    await chat.send('Hello');
    await expect(chat.region).toContainText('Works.');
    expect(await readFile(join(home, 'settings.jsonc'), 'utf8')).toBe(settings);
    expect(await readFile(join(home, 'rules.jsonc'), 'utf8')).toBe(rules);
    await mkdir(join(project, '.lathe'));
    await writeFile(join(project, '.lathe/rules.jsonc'), '[\n\n  oops');
    await expect(notices).toContainText(/\.lathe\/rules\.jsonc:3/);
  } finally {
    await host.stop();
  }
});

test('a port that is taken is named, with what to do', async ({ home, project }) => {
  const other = createServer();
  await new Promise<void>((ready) => void other.listen(0, '127.0.0.1', ready));
  const { port } = other.address() as AddressInfo;
  try {
    const args = ['serve', '--no-open', '--project', project, '--port', String(port)];
    const child = spawn(NODE, [join(ROOT, 'dist/main/cli.mjs'), ...args], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LATHE_HOME: home },
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is used by another program.`);
    expect(output).toContain('--port');
    expect(output).not.toMatch(/\n\s+at /);
  } finally {
    other.close();
  }
});
