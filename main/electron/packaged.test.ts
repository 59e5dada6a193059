import { mkdtemp } from 'node:fs/promises';
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
