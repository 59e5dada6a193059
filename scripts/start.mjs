// `npm start`: opens Lathe from a checkout – in Electron where its runtime is to be had, else in the browser.
import './lib/require-node.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { becomeCli, userDirectory } from './lib/cli.mjs';
import { electronRuntime } from './lib/electron-runtime.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';

const STILLBORN_MS = 5000;

const USAGE = 'Usage: npm start -- [FOLDER] [--web] [--no-open] [--port N] [--project FOLDER] [--trust]';

try {
  const options = readOptions();
  await ensureReady(say);
  const why = options.web ? undefined : await openInElectron(options);
  if (why) say(`${why} – opening Lathe in your browser instead.`);
  process.chdir(userDirectory('start'));
  await becomeCli(['serve', ...options.serve]);
} catch (error) {
  fail(error);
}

/** @typedef {{ web: boolean, project: string | undefined, serve: string[] }} Options */

/** @returns {Options} */
function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        web: { type: 'boolean', default: false },
        'no-open': { type: 'boolean', default: false },
        trust: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        port: { type: 'string' },
        project: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const named = values.project ?? positionals[0];
    if (positionals.length > (values.project === undefined ? 1 : 0))
      throw new Error('one folder can be opened at a time');
    const project = named === undefined ? undefined : path.resolve(userDirectory('start'), named);
    if (project && !existsSync(project)) throw new Error(`there is no folder ${project}`);
    const serve = [
      ...(project ? ['--project', project] : []),
      ...(values.port === undefined ? [] : ['--port', values.port]),
      ...(values['no-open'] ? ['--no-open'] : []),
      ...(values.trust ? ['--trust'] : []),
      ...(values.json ? ['--json'] : []),
    ];
    // Asking for a port, or for no browser, is asking for the web.
    const web = values.web || values['no-open'] || values.json || values.port !== undefined;
    return { web, project, serve };
  } catch (error) {
    console.error(`lathe: ${/** @type {Error} */ (error).message}\n${USAGE}`);
    process.exit(2);
  }
}

/**
 * @param {Options} options
 * @returns {Promise<string>} why it can't be; when it can, this process ends with the window
 */
async function openInElectron({ project }) {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (process.platform === 'linux' && process.getuid?.() === 0) return 'Electron does not run as root';
  if (!hasDisplay) return 'There is no display for a window';
  if (!existsSync(inRoot('dist/main/electron.mjs'))) return 'The Electron host is not built';
  const runtime = await electronRuntime(requireModernNode(), say);
  if ('reason' in runtime) return `Electron's runtime could not be fetched (${runtime.reason})`;
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const startedAt = performance.now();
  const code = await runForeground(runtime.executable, [root, ...(project ? [project] : [])], { env });
  const isInterrupted = code === 130 || code === 143;
  // A runtime that lacks a system library dies at once; a window that was open is not opened a second time.
  if (code === 0 || isInterrupted || performance.now() - startedAt > STILLBORN_MS) process.exit(code);
  return `Electron ended at once with code ${code}`;
}
