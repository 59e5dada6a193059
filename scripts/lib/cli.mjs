import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { cliEntry, isModern, root } from './paths.mjs';
import { runForeground } from './run.mjs';
import { requireModernNode } from './setup.mjs';

/**
 * Turns this process into the built command line; on an old Node, starts it on a newer one and exits like it.
 *
 * @param {readonly string[]} args
 */
export async function becomeCli(args) {
  if (!existsSync(cliEntry))
    throw new Error('The command line has no source here (main/cli/index.ts), so there is none to start.');
  if (!isModern()) {
    process.exit(await runForeground(requireModernNode(), [cliEntry, ...args], { cwd: process.cwd() }));
  }
  process.argv = [process.execPath, cliEntry, ...args];
  await import(pathToFileURL(cliEntry).href);
}

/**
 * Where the user stood when they typed `npm run <script>`: npm changes to the package root, and a relative path that
 * they gave means something else there.
 *
 * @param {string} script the npm script that this is; INIT_CWD may be left over from another one
 */
export function userDirectory(script) {
  const { INIT_CWD: typedIn, npm_lifecycle_event: running } = process.env;
  return typedIn && running === script && process.cwd() === root && existsSync(typedIn)
    ? typedIn
    : process.cwd();
}
