// Plays edits, commands, saves, outside writes, undos and redos against each other at random: 10,000 steps, or
// LATHE_INTERLEAVE_STEPS; LATHE_INTERLEAVE_SEED begins elsewhere.
import './lib/require-node.mjs';
import { inRoot } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';

try {
  await ensureReady(say, []);
  const vitest = inRoot('node_modules/vitest/vitest.mjs');
  const env = { LATHE_INTERLEAVE_STEPS: '10000', ...process.env };
  const command = [vitest, 'run', '--reporter=verbose', 'main/core/change/undo/interleaving.test.ts'];
  process.exitCode = await runForeground(requireModernNode(), command, { env });
} catch (error) {
  fail(error);
}
