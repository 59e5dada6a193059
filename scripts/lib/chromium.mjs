import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { inRoot, root } from './paths.mjs';
import { runCaptured } from './run.mjs';

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
];

/**
 * A Chromium for the end-to-end tests: LATHE_CHROMIUM, Playwright's own, the system's, or one fetched now.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string>} path of the executable
 * @throws {Error} that says what was tried
 */
export async function ensureChromium(say) {
  return (
    findChromium() ??
    withLock('chromium', fetchChromium, () => say('Waiting for another fetch of Chromium …'))
  );

  async function fetchChromium() {
    const tried = [];
    for (const [title, attempt] of attempts()) {
      const found = findChromium();
      if (found) return found;
      say(`Fetching Chromium for the tests (${title}) …`);
      const { code, output } = await attempt();
      if (code !== 0) tried.push(`${title}: ${output.trim().split('\n').at(-1)}`);
    }
    const found = findChromium();
    if (found) return found;
    throw new Error(
      ['No Chromium for the end-to-end tests. Install one or name it in LATHE_CHROMIUM.', ...tried].join(
        '\n  ',
      ),
    );
  }
}

export function findChromium() {
  const named = process.env.LATHE_CHROMIUM;
  if (named && !existsSync(named)) throw new Error(`LATHE_CHROMIUM names ${named}, which does not exist.`);
  return [named, playwrightChromium(), ...(process.platform === 'linux' ? SYSTEM_BROWSERS : [])].find(
    (candidate) => candidate && existsSync(candidate),
  );
}

function playwrightChromium() {
  try {
    // Asked for at run time: nothing is installed yet when this file is loaded for the first time.
    return createRequire(path.join(root, 'package.json'))('playwright').chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** @returns {[string, () => Promise<{ code: number, output: string }>][]} in the order to try */
function attempts() {
  /** @type {[string, () => Promise<{ code: number, output: string }>]} */
  const playwright = [
    'Playwright',
    () =>
      runCaptured(process.execPath, [inRoot('node_modules/playwright/cli.js'), 'install', 'chromium'], {
        timeoutMs: 10 * 60_000,
      }),
  ];
  const isDebianRoot =
    os.platform() === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  return isDebianRoot ? [['apt-get', aptInstall], playwright] : [playwright];
}

async function aptInstall() {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 10 * 60_000 };
  await runCaptured('apt-get', ['update', '-qq'], options);
  return runCaptured('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
}
