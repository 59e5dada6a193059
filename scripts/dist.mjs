// Installers for this platform, into release/. Arguments go to electron-builder.
import './lib/require-node.mjs';
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';

try {
  await ensureReady(say);
  stageNode(requireModernNode());
  const builder = inRoot('node_modules/electron-builder/cli.js');
  const args = [builder, '--config', 'electron-builder.yml', '--publish', 'never', ...process.argv.slice(2)];
  process.exitCode = await runForeground(requireModernNode(), args);
} catch (error) {
  fail(error);
}

/** Puts the Node that the installed app brings along, and its licence, where electron-builder.yml looks for them. */
function stageNode(/** @type {string} */ node) {
  const target = inRoot('dist/node');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const binary = path.join(target, process.platform === 'win32' ? 'node.exe' : 'node');
  copyFileSync(node, binary);
  chmodSync(binary, 0o755);
  const license = path.join(path.dirname(node), '../LICENSE');
  if (existsSync(license)) copyFileSync(license, path.join(target, 'LICENSE'));
}
