import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { inRoot, modernNode, root } from './paths.mjs';
import { runCaptured } from './run.mjs';

const RECORD = inRoot('node_modules/.lathe-install');
const LOCK_FILE = inRoot('package-lock.json');

/**
 * Makes node_modules what package-lock.json says, if it isn't yet.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<boolean>} whether anything had to be installed
 * @throws {Error} with npm's last lines when it fails
 */
export async function ensureInstalled(say) {
  if (isInstalled()) return false;
  return withLock('install', install, () =>
    say('Waiting for another installation of the packages to finish …'),
  );

  async function install() {
    if (isInstalled()) return false;
    say('Installing packages (once; about half a minute) …');
    const { code, output } = await npm(installArguments());
    if (code !== 0) throw new Error(`The packages could not be installed:\n${lastLines(output, 12)}`);
    if (!modernNode()) throw new Error(noModernNode());
    record();
    return true;
  }
}

/** One line for a platform that the lock file brings no Node for. */
export const noModernNode = () =>
  `Lathe runs on Node 24, which its packages do not include for ${process.platform}-${process.arch}. ` +
  'Install Node 24 (https://nodejs.org) and try again.';

function isInstalled() {
  const wanted = lockHash();
  if (!modernNode()) return false;
  if (existsSync(RECORD) && readFileSync(RECORD, 'utf8').trim() === wanted) return true;
  // Installed by hand: believe npm's own record rather than do it all again.
  if (!matchesNpmRecord()) return false;
  record();
  return true;
}

const lockHash = () => createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');

const record = () => writeFileSync(RECORD, `${lockHash()}\n`);

/** Whether npm left every package of the lock file behind in its version, save those for other platforms. */
function matchesNpmRecord() {
  const npmRecord = inRoot('node_modules/.package-lock.json');
  if (!existsSync(npmRecord)) return false;
  const wanted = packagesOf(LOCK_FILE);
  const present = packagesOf(npmRecord);
  return Object.entries(wanted).every(
    ([where, { version, optional }]) =>
      where === '' || present[where]?.version === version || (optional && !present[where]),
  );
}

/** @returns {Record<string, { version: string, optional?: boolean }>} */
const packagesOf = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')).packages;

function installArguments() {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  // Windows locks a running executable, and `ci` would delete the one that may be running this.
  const inUse = process.platform === 'win32' && process.execPath.startsWith(inRoot('node_modules'));
  return [inUse ? 'install' : 'ci', ...quiet];
}

function npm(/** @type {string[]} */ args) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  // The npm that started this, on its own Node: ours may be inside the folder that is about to be replaced.
  if (script && /npm-cli\.c?js$/.test(script)) return runCaptured(nodeOutside(node), [script, ...args]);
  return runCaptured('npm', args, { shell: process.platform === 'win32' });
}

const nodeOutside = (/** @type {string | undefined} */ candidate) =>
  candidate && path.relative(root, candidate).startsWith('..') ? candidate : process.execPath;

const lastLines = (/** @type {string} */ text, /** @type {number} */ count) =>
  text.trimEnd().split('\n').slice(-count).join('\n');
