import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/** @typedef {'main' | 'preload' | 'renderer'} Target */

/** What each part of dist/ is made from. `entry` absent on disk means: nothing to build yet. */
const TARGETS = {
  main: {
    entries: ['main/cli/index.ts', 'main/electron/index.ts'],
    inputs: ['main', 'shared', 'scripts/launcher'],
  },
  preload: { entries: ['preload/index.ts'], inputs: ['preload', 'shared'] },
  renderer: { entries: ['renderer/app/main.tsx'], inputs: ['renderer', 'shared', 'vite.config.ts'] },
};

const COMMON_INPUTS = [
  'package-lock.json',
  'package.json',
  'scripts/build.mjs',
  'scripts/lib/build-targets.mjs',
];

const STAMP = inRoot('dist/.stamp');

export const targets = /** @type {Target[]} */ (Object.keys(TARGETS));

/** The entries of a target that exist. */
export const entriesOf = (/** @type {Target} */ target) =>
  TARGETS[target].entries.filter((entry) => existsSync(inRoot(entry)));

/** The entries of a target that nobody has written. */
export const missingEntriesOf = (/** @type {Target} */ target) =>
  TARGETS[target].entries.filter((entry) => !existsSync(inRoot(entry)));

/** A digest over names and contents of everything that `target` is built from. */
export function inputHash(/** @type {Target} */ target) {
  const hash = createHash('sha256');
  const files = [...TARGETS[target].inputs, ...COMMON_INPUTS].flatMap((input) => filesBelow(input));
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

export const staleTargets = (/** @type {readonly Target[]} */ among) => {
  const stamp = readStamp();
  return among.filter((target) => entriesOf(target).length > 0 && stamp[target] !== inputHash(target));
};

/** Remembers that `target` was built from inputs with this digest. */
export function markBuilt(/** @type {Target} */ target, /** @type {string} */ hash) {
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, `${JSON.stringify({ ...readStamp(), [target]: hash }, null, 2)}\n`);
}

/** @returns {Partial<Record<Target, string>>} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

/** @returns {string[]} paths relative to the root; tests change no build, so they are left out */
function filesBelow(/** @type {string} */ relative) {
  const absolute = inRoot(relative);
  if (!existsSync(absolute)) return [];
  if (path.extname(relative) !== '') return [relative];
  return readdirSync(absolute, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/[.]test[.]tsx?$/.test(entry.name))
    .map((entry) => path.join(relative, path.relative(absolute, path.join(entry.parentPath, entry.name))));
}

/** Names and files of the worker threads: `main/**\/<name>.worker.ts`. */
export const workerEntries = () =>
  filesBelow('main')
    .filter((file) => file.endsWith('.worker.ts'))
    .map((file) => inRoot(file));
