import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../support/fixtures';

test('typing in the terminal runs in the project folder', async ({ window, project }) => {
  const terminal = window.getByRole('region', { name: 'Terminal', exact: true });
  await terminal.locator('.xterm-helper-textarea').focus();
  await window.keyboard.type('echo typed-$((40+2)) > typed.txt && cat typed.txt');
  await window.keyboard.press('Enter');
  await expect.poll(() => readFile(join(project, 'typed.txt'), 'utf8').catch(() => '')).toBe('typed-42\n');
  await expect(terminal.locator('.xterm-rows')).toContainText('typed-42');
});

test('a second terminal opens beside the first, and both survive a reload of the window', async ({
  window,
  host,
}) => {
  expect(host.port).toBeGreaterThan(0);
  const terminal = window.getByRole('region', { name: 'Terminal', exact: true });
  await terminal.locator('.xterm-helper-textarea').focus();
  await window.keyboard.type('echo remember-$((1+1))');
  await window.keyboard.press('Enter');
  await expect(terminal.locator('.xterm-rows')).toContainText('remember-2');
  await terminal.getByRole('button', { name: 'New terminal' }).click();
  const tabs = terminal.getByRole('tablist', { name: 'Terminals' }).getByRole('tab');
  await expect(tabs).toHaveCount(2);
  await window.reload();
  await expect(tabs).toHaveCount(2);
  await tabs.first().click();
  await expect(terminal.locator('.xterm-rows')).toContainText('remember-2');
});

test('case-X04: the shell knows the size that is on screen', async ({ window, project }) => {
  const terminal = window.getByRole('region', { name: 'Terminal', exact: true });
  await expect(terminal.locator('.xterm-rows')).toContainText(/[$#%>]/);
  await window.setViewportSize({ width: 1300, height: 760 });
  await terminal.locator('.xterm-helper-textarea').focus();
  const rows = terminal.locator('.xterm-rows > div');
  await expect
    .poll(async () => {
      await window.keyboard.type('stty size > size.txt');
      await window.keyboard.press('Enter');
      const size = await readFile(join(project, 'size.txt'), 'utf8').catch(() => '');
      return size.split(' ')[0] === String(await rows.count());
    })
    .toBe(true);
});
