// Records the sessions of e2e/fixtures anew: for when a change of the harness is meant to change what they do.
import './lib/require-node.mjs';
import { inRoot } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';

try {
  await ensureReady(say, []);
  const vitest = inRoot('node_modules/vitest/vitest.mjs');
  const env = { ...process.env, LATHE_RECORD_FIXTURES: '1' };
  const command = [vitest, 'run', 'main/core/recording/fixtures.test.ts'];
  process.exitCode = await runForeground(requireModernNode(), command, { env });
} catch (error) {
  fail(error);
}
