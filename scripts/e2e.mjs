// The end-to-end tests, with a browser found or fetched. Arguments go to Playwright.
import './lib/require-node.mjs';
import { inRoot } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';
import { ensureChromium, ensureReady, fail, requireModernNode, say } from './lib/setup.mjs';
import { useTestScratch } from './lib/test-scratch.mjs';

const GATE = ['web', 'electron-double', 'electron'];

try {
  await ensureReady(say);
  useTestScratch();
  const env = { ...process.env, LATHE_CHROMIUM: await ensureChromium(say) };
  const args = process.argv.slice(2);
  const projects = args.some((arg) => arg.startsWith('--project'))
    ? []
    : GATE.map((name) => `--project=${name}`);
  const playwright = inRoot('node_modules/@playwright/test/cli.js');
  const command = [playwright, 'test', '--pass-with-no-tests', ...projects, ...args];
  process.exitCode = await runForeground(requireModernNode(), command, { env });
} catch (error) {
  fail(error);
}
