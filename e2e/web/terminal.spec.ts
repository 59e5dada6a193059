import { readFile, writeFile } from 'node:fs/promises';
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

/** Writes as fast as it is read, far over what a terminal can draw, and says on Ctrl-C how much it got rid of. */
const FLOOD = `
let written = 0;
const line = 'flood '.repeat(2000) + '\\n';
const go = () => {
  process.stdout.write(line);
  written += line.length;
  setImmediate(go);
};
process.on('SIGINT', () => {
  require('node:fs').writeFileSync('flood.txt', String(written));
  process.exit(0);
});
go();
`;

test('fault-F119: while a program floods the terminal, typing elsewhere answers at once and Ctrl-C gets through', async ({
  window,
  chat,
  project,
}) => {
  await writeFile(join(project, 'flood.cjs'), FLOOD);
  const terminal = window.getByRole('region', { name: 'Terminal', exact: true });
  await terminal.locator('.xterm-helper-textarea').focus();
  await window.keyboard.type('node flood.cjs');
  await window.keyboard.press('Enter');
  await expect(terminal.locator('.xterm-rows')).toContainText('flood flood');
  await chat.message.focus();
  // From the key to the frame that shows it, in the page's own clock.
  await chat.message.evaluate((box) => {
    const took: number[] = [];
    Object.assign(globalThis, { keyTook: took });
    box.addEventListener('keydown', (event) => {
      requestAnimationFrame(() => took.push(performance.now() - event.timeStamp));
    });
  });
  const words = 'typed while a flood of text goes by';
  for (const key of words) await window.keyboard.press(key);
  await expect(chat.message).toHaveValue(words);
  const took = await window.evaluate(() => (globalThis as unknown as { keyTook: number[] }).keyTook);
  expect(took.sort((a, b) => a - b)[Math.floor(took.length / 2)]).toBeLessThan(100);
  await terminal.locator('.xterm-helper-textarea').focus();
  await window.keyboard.press('Control+c');
  await expect
    .poll(async () => Number(await readFile(join(project, 'flood.txt'), 'utf8').catch(() => '0')))
    .toBeGreaterThan(1_000_000);
  await window.keyboard.type('echo calm-$((1+1))');
  await window.keyboard.press('Enter');
  await expect(terminal.locator('.xterm-rows')).toContainText('calm-2');
});
