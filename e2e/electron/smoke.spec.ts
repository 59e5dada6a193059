import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { runTurnAndStop, useModel } from '../support/electron-double/app-window';
import { expect, test, windowReady } from '../support/fixtures';
import { ROOT } from '../support/host';

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};
const DIST = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(ROOT, 'node_modules/electron/dist');
const ELECTRON = join(DIST, PROGRAMS[process.platform] ?? 'electron');

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);

/** Why real Electron can't be started here; null when it can. */
function whyNot(): string | null {
  if (!existsSync(ELECTRON)) return `there is no Electron at ${ELECTRON}`;
  return hasDisplay ? null : 'there is no display (use xvfb-run)';
}

const reason = whyNot();
if (reason !== null) {
  console.warn(`\n*** REAL ELECTRON WAS NOT TESTED: ${reason}. e2e/electron is skipped. ***\n`);
}

test.describe('Electron', () => {
  test.skip(reason !== null, `NOT TESTED ON REAL ELECTRON: ${reason}`);

  test('the app starts, runs an approved turn, stops one and quits', async ({ model, project, home }) => {
    const {
      LATHE_HOME: _home,
      ELECTRON_RUN_AS_NODE: _asNode,
      ...env
    } = process.env as Record<string, string>;
    // Containers and CI machines lack the set-up that Chromium's sandbox needs on Linux.
    const sandbox = process.platform === 'linux' && env['CI'] !== undefined ? ['--no-sandbox'] : [];
    const app = await _electron.launch({
      executablePath: ELECTRON,
      args: [...sandbox, ROOT, project],
      env: { ...env, TERM: 'dumb', LATHE_HOME: home },
    });
    const exited = new Promise<number | null>((resolve) => app.process().once('exit', resolve));
    const page = await app.firstWindow();
    await windowReady(page);
    expect(page.url()).toMatch(/^app:\/\/lathe\//);
    await useModel(page, model.url);

    await runTurnAndStop(page, model, project);

    // The answer may be lost with the process that gives it.
    await app.evaluate(({ app: main }) => main.quit()).catch(() => undefined);
    expect(await exited).toBe(0);
  });
});
