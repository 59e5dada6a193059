import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDir, inRoot } from './paths.mjs';
import { runCaptured } from './run.mjs';

const FETCH_LIMIT_MS = 60_000;
const REMEMBER_FAILURE_MS = 24 * 60 * 60_000;
const FAILURE_NOTE = path.join(cacheDir, 'lathe-electron-failed');

/**
 * Electron's executable, fetched if it isn't there yet. A fetch that fails is not tried again for a day, since most
 * machines where it fails have no way out to it.
 *
 * @param {string} node the Node to fetch with
 * @param {(line: string) => void} say
 * @returns {Promise<{ executable: string } | { reason: string }>}
 */
export async function electronRuntime(node, say) {
  const present = findElectron();
  if (present) return { executable: present };
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    return {
      reason: `ELECTRON_OVERRIDE_DIST_PATH is set, but there is no Electron in ${process.env.ELECTRON_OVERRIDE_DIST_PATH}`,
    };
  }
  const remembered = recentFailure();
  if (remembered) return { reason: remembered };
  const reason = await fetchElectron(node, say);
  const fetched = findElectron();
  if (fetched) return { executable: fetched };
  mkdirSync(cacheDir, { recursive: true });
  writeFileSync(FAILURE_NOTE, reason);
  return { reason };
}

/** @returns {string | undefined} path of the executable, when the runtime is on this machine */
export function findElectron() {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? inRoot('node_modules/electron/dist');
  const executable = path.join(dist, executableName());
  return existsSync(executable) ? executable : undefined;
}

function executableName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/** @returns {Promise<string>} why it failed, in a few words */
async function fetchElectron(/** @type {string} */ node, /** @type {(line: string) => void} */ say) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  say(`Fetching Electron's runtime (once; about 110 MB, at most ${FETCH_LIMIT_MS / 1000} s) …`);
  const progress = setInterval(() => say(`  still fetching Electron's runtime, ${seconds()} s …`), 10_000);
  const { output, timedOut } = await runCaptured(node, [inRoot('node_modules/electron/install.js')], {
    timeoutMs: FETCH_LIMIT_MS,
  });
  clearInterval(progress);
  return timedOut ? `not finished after ${FETCH_LIMIT_MS / 1000} s` : causeIn(output);
}

function causeIn(/** @type {string} */ output) {
  const line =
    output.split('\n').find((candidate) => /\w*Error\b|\bE[A-Z]{4,}\b/.test(candidate)) ?? output.trim();
  return (
    line
      .trim()
      .replace(/^\w*Error: /, '')
      .slice(0, 120) || 'the download failed'
  );
}

function recentFailure() {
  if (!existsSync(FAILURE_NOTE)) return undefined;
  const isRecent = Date.now() - statSync(FAILURE_NOTE).mtimeMs < REMEMBER_FAILURE_MS;
  return isRecent ? readFileSync(FAILURE_NOTE, 'utf8') : undefined;
}
