// Builds dist/: all of it, or the targets named as arguments (main, preload, renderer).
import './lib/require-node.mjs';
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import {
  entriesOf,
  inputHash,
  markBuilt,
  missingEntriesOf,
  targets,
  workerEntries,
} from './lib/build-targets.mjs';
import { withLock } from './lib/lock.mjs';
import { inRoot } from './lib/paths.mjs';
import { continueOnModernNode, ensureInstalled, fail, say } from './lib/setup.mjs';

/** @typedef {import('./lib/build-targets.mjs').Target} Target */

// Packages with binaries or data files beside their code; everything else is bundled so that start-up is quick.
const UNBUNDLED = [
  /^(?:better-sqlite3|node-pty|web-tree-sitter|electron)(?:\/|$)/,
  /^@(?:parcel\/watcher|vscode\/ripgrep|vscode\/tree-sitter-wasm)(?:\/|$)/,
  // Optional accelerators that ws asks for and does without.
  /^(?:bufferutil|utf-8-validate)$/,
];

/** See main/core/model/sdk-headers.ts: the openai SDK gets that class where it says `Headers`. */
const SDK_HEADERS = {
  name: 'sdk-headers',
  transform: {
    filter: { id: /\/openai\/internal\/headers\.mjs$/ },
    handler: (/** @type {string} */ code) => ({
      // In front of the first line, so that every line stays where the source map has it.
      code: `import { SdkHeaders as Headers } from ${JSON.stringify(inRoot('main/core/model/sdk-headers.ts'))};${code}`,
      map: null,
    }),
  },
};

const BUILDERS = { main: buildMain, preload: buildPreload, renderer: buildRenderer };

try {
  await ensureInstalled(say);
  await continueOnModernNode(fileURLToPath(import.meta.url));
  const args = process.argv.slice(2);
  const wanted = targets.filter((target) => args.includes(target));
  const work = () => buildAll(wanted.length > 0 ? wanted : targets);
  await (args.includes('--unlocked') ? work() : withLock('build', work));
} catch (error) {
  fail(error);
}

/** All at once; every failure is reported, not only the first. */
async function buildAll(/** @type {readonly Target[]} */ wanted) {
  const results = await Promise.allSettled(wanted.map((target) => buildOne(target)));
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failures) console.error(readable(reason));
  if (failures.length > 0) process.exitCode = 1;
}

/** The bundler colours its messages also where nobody can see colours. */
function readable(/** @type {unknown} */ reason) {
  const text = reason instanceof Error ? reason.message : String(reason);
  return process.stderr.isTTY ? text : stripVTControlCharacters(text);
}

async function buildOne(/** @type {Target} */ target) {
  for (const entry of missingEntriesOf(target)) console.log(`${target}: ${entry} is not there yet, skipped`);
  if (entriesOf(target).length === 0) return;
  const startedAt = performance.now();
  const hash = inputHash(target);
  await BUILDERS[target]();
  markBuilt(target, hash);
  console.log(`${target}: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function buildMain() {
  const entries = entriesOf('main').map((entry) => [
    entry === 'main/cli/index.ts' ? 'cli-main' : 'electron',
    inRoot(entry),
  ]);
  const workers = workerEntries().map((file) => [path.basename(file, '.ts'), file]);
  await replaceFolder('dist/main', async (dir) => {
    await bundle({
      input: Object.fromEntries([...entries, ...workers]),
      output: {
        dir,
        format: 'esm',
        sourcemap: true,
        entryFileNames: '[name].mjs',
        chunkFileNames: 'chunks/[name]-[hash].mjs',
      },
    });
    if (!existsSync(path.join(dir, 'cli-main.mjs'))) return;
    copyFileSync(inRoot('scripts/launcher/cli.mjs'), path.join(dir, 'cli.mjs'));
    chmodSync(path.join(dir, 'cli.mjs'), 0o755);
  });
}

async function buildPreload() {
  await replaceFolder('dist/preload', (dir) =>
    bundle({
      input: inRoot('preload/index.ts'),
      // A sandboxed preload can load one CommonJS file and nothing from beside it.
      output: { file: path.join(dir, 'index.cjs'), format: 'cjs', sourcemap: true, codeSplitting: false },
    }),
  );
}

async function buildRenderer() {
  const { build } = await import('vite');
  await replaceFolder('dist/renderer', async (outDir) => {
    await build({
      configFile: inRoot('vite.config.ts'),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
  });
}

/** @param {{ input: import('rolldown').InputOptions['input'], output: import('rolldown').OutputOptions }} options */
async function bundle({ input, output }) {
  const { build } = await import('rolldown');
  await build({
    input,
    external: UNBUNDLED,
    platform: 'node',
    // Some packages' CommonJS variant finds its own parts at run time, which bundling breaks; their ES modules are fine.
    resolve: { mainFields: ['module', 'main'] },
    cwd: inRoot('.'),
    tsconfig: inRoot('tsconfig.base.json'),
    plugins: [SDK_HEADERS],
    output: { ...output, minify: false },
    onLog(level, log, next) {
      // An import that leads nowhere is an error now, rather than for whoever comes across it at run time.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      next(level, log);
    },
  });
}

/**
 * Lets `fill` write a new folder and puts it in the old one's place when it is complete, so that a build that fails
 * leaves the last good one.
 *
 * @param {string} relative
 * @param {(dir: string) => Promise<void>} fill
 */
async function replaceFolder(relative, fill) {
  const final = inRoot(relative);
  const next = `${final}.next`;
  const old = `${final}.old`;
  for (const dir of [next, old]) rmSync(dir, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  try {
    await fill(next);
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    throw error;
  }
  if (existsSync(final)) renameSync(final, old);
  renameSync(next, final);
  rmSync(old, { recursive: true, force: true });
}
