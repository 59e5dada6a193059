import { ensureInstalled, noModernNode } from './install.mjs';
import { staleTargets, targets } from './build-targets.mjs';
import { withLock } from './lock.mjs';
import { inRoot, isModern, modernNode } from './paths.mjs';
import { runCaptured, runForeground } from './run.mjs';

export { ensureChromium } from './chromium.mjs';
export { ensureInstalled };

/** @typedef {import('./build-targets.mjs').Target} Target */

/**
 * Brings dist/ up to date; only what changed is built.
 *
 * @param {(line: string) => void} say
 * @param {readonly Target[]} [wanted]
 * @throws {Error} with the compiler's output when it fails
 */
export async function ensureBuilt(say, wanted = targets) {
  if (staleTargets(wanted).length === 0) return;
  await withLock('build', build, () => say('Waiting for another build to finish …'));

  async function build() {
    const stale = staleTargets(wanted);
    if (stale.length === 0) return;
    say(`Building ${stale.join(', ')} …`);
    const { code, output } = await runCaptured(requireModernNode(), [
      inRoot('scripts/build.mjs'),
      '--unlocked',
      ...stale,
    ]);
    if (code !== 0) throw new Error(`The build failed:\n${output.trimEnd()}`);
  }
}

/** @throws {Error} when the platform has no Node that can run Lathe */
export function requireModernNode() {
  const node = modernNode();
  if (!node) throw new Error(noModernNode());
  return node;
}

/**
 * Installs and builds what is missing.
 *
 * @param {(line: string) => void} say
 * @param {readonly Target[]} [wanted]
 */
export async function ensureReady(say, wanted = targets) {
  await ensureInstalled(say);
  await ensureBuilt(say, wanted);
}

/** Ends a script on a failure that needs no stack trace. */
export function fail(/** @type {unknown} */ error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/** Carries on under a Node that can run what is installed, if this process isn't one; then never returns. */
export async function continueOnModernNode(/** @type {string} */ script) {
  if (isModern()) return;
  process.exit(
    await runForeground(requireModernNode(), [script, ...process.argv.slice(2)], { cwd: process.cwd() }),
  );
}

/** Progress goes to stderr, so that stdout stays what the command was asked for. */
export const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);
