import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import * as electron from './testing/fake-electron';
import { windowOptions } from './window-options';

vi.mock('electron', () => import('./testing/fake-electron'));

test('sec-H11: the installed app takes no debugging switches and has no developer tools', async () => {
  vi.stubEnv('LATHE_HOME', await mkdtemp(path.join(tmpdir(), 'lathe-packaged-')));
  electron.app.isPackaged = true;
  electron.app.lock = false;
  const { startApp } = await import('./start-app');
  startApp();
  for (const name of ['remote-debugging-port', 'remote-debugging-pipe', 'inspect', 'inspect-brk']) {
    expect(electron.log).toContain(`removeSwitch:${name}`);
  }
  expect(windowOptions('/p', false).webPreferences?.devTools).toBe(false);
});

test('a second instance quits without opening anything', () => {
  expect(electron.log).toContain('quit');
  expect(electron.log).not.toContain('BrowserWindow');
});

test('a data folder that can’t be made is told in a dialog, with what to do', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'lathe-packaged-')), 'file');
  await writeFile(file, '');
  vi.stubEnv('LATHE_HOME', path.join(file, 'home'));
  const { startApp } = await import('./start-app');
  startApp();
  expect(electron.log.at(-1)).toMatch(
    /^errorBox:Lathe can’t start:The data folder .* can't be created[^]*LATHE_HOME/,
  );
  expect(await electron.app.exited.promise).toBe(1);
});
