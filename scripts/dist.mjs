// Installers for this platform, into release/. Arguments go to electron-builder.
import './lib/require-node.mjs';
import { inRoot } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';

try {
  await ensureReady(say);
  const builder = inRoot('node_modules/electron-builder/cli.js');
  const args = [builder, '--config', 'electron-builder.yml', '--publish', 'never', ...process.argv.slice(2)];
  process.exitCode = await runForeground(requireModernNode(), args);
} catch (error) {
  fail(error);
}
