// Installers for this platform, into release/. Arguments go to electron-builder.
import './lib/require-node.mjs';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';

try {
  await ensureReady(say);
  stage(requireModernNode());
  const builder = inRoot('node_modules/electron-builder/cli.js');
  const args = [builder, '--config', 'electron-builder.yml', '--publish', 'never', ...process.argv.slice(2)];
  process.exitCode = await runForeground(requireModernNode(), args);
} catch (error) {
  fail(error);
}

/** Lays out what goes beside the archive, where electron-builder.yml looks for it. */
function stage(/** @type {string} */ node) {
  const target = inRoot('dist/stage');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(path.join(target, 'node'), { recursive: true });
  const binary = path.join(target, 'node', process.platform === 'win32' ? 'node.exe' : 'node');
  copyFileSync(node, binary);
  chmodSync(binary, 0o755);
  const license = path.join(path.dirname(node), '../LICENSE');
  if (existsSync(license)) copyFileSync(license, path.join(target, 'node/LICENSE'));
  for (const part of ['dist/main', 'dist/renderer', 'assets', 'package.json']) {
    cpSync(inRoot(part), path.join(target, 'cli', part), { recursive: true, filter: isForCommandLine });
  }
}

function isForCommandLine(/** @type {string} */ file) {
  return !file.endsWith('.map') && !['electron.mjs', 'entitlements.mac.plist'].includes(path.basename(file));
}
