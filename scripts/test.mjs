// `npm test`: everything that has to hold, every failure reported, a summary, and as the last line the count.
// `npm run check` (`--check`) is the quick part: no build, no browser, and no tests that start programs by the dozen.
import './lib/require-node.mjs';
import { rmSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { failureLines, runSteps } from './lib/steps.mjs';
import { countOne, countPlaywright, countVitest, total } from './lib/test-counts.mjs';
import { flakyInPlaywright, flakyInVitest, playwrightFailures, vitestFailures } from './lib/test-report.mjs';
import { ensureInstalled, requireModernNode, say } from './lib/setup.mjs';
import { useTestScratch } from './lib/test-scratch.mjs';

const FOLDERS = ['shared', 'main', 'preload', 'renderer', 'e2e'];
// The same as in package.json, so that `npm run format` and this profit from each other.
const PRETTIER_CACHE = ['--cache', '--cache-location', 'node_modules/.cache/prettier/files'];

const isQuick = process.argv.includes('--check');
const UNIT_REPORT = inRoot('test-results/unit.json');
const E2E_REPORT = inRoot('test-results/e2e.json');

const startedAt = performance.now();
try {
  await ensureInstalled(say);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('\n0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

useTestScratch();

// A report of an earlier run must not be counted when this one writes none.
for (const report of [UNIT_REPORT, E2E_REPORT]) rmSync(report, { force: true });

const results = await runSteps(steps());
const counts = total(results.map(({ step, ok }) => step.count(ok)));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);

console.log(`\nSummary (${seconds} s)`);
for (const { step, ok, seconds: took } of results) {
  console.log(`  ${ok ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(8)} ${took.toFixed(1).padStart(6)} s`);
}
for (const { title, message } of [...flakyInVitest(UNIT_REPORT), ...flakyInPlaywright(E2E_REPORT)]) {
  console.log(`  passed only when it was repeated: ${title}`);
  console.log(message.replace(/^/gm, '    '));
}
// Once more, where one looks first: between a failed test and the end there are pages of others.
for (const text of results.flatMap(failureLines)) console.log(text);
process.exitCode = results.every(({ ok }) => ok) && counts.failed === 0 ? 0 : 1;
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);

/** @returns {import('./lib/steps.mjs').Step[]} the slow ones first, so that all end together */
function steps() {
  const node = requireModernNode();
  const script = (/** @type {string} */ name, /** @type {string[]} */ ...args) => [
    node,
    inRoot(`scripts/${name}.mjs`),
    ...args,
  ];
  const bin = (/** @type {string} */ file, /** @type {string[]} */ ...args) => [
    node,
    inRoot(`node_modules/${file}`),
    ...args,
  ];
  const quick = [
    { name: 'code', command: script('code'), count: countOne },
    {
      name: 'unit',
      command: bin(
        'vitest/vitest.mjs',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${UNIT_REPORT}`,
        ...(isQuick ? ['--project=together', '--project=alone'] : []),
      ),
      count: (/** @type {boolean} */ ok) => countVitest(UNIT_REPORT, ok),
      failures: () => vitestFailures(UNIT_REPORT),
    },
    {
      name: 'format',
      command: bin('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', ...PRETTIER_CACHE, '.'),
      count: countOne,
    },
    {
      name: 'layers',
      command: bin(
        'dependency-cruiser/bin/dependency-cruiser.mjs',
        '--config',
        'layers.dependency-cruiser.cjs',
        ...FOLDERS,
      ),
      count: countOne,
    },
  ];
  if (isQuick) return quick;
  return [
    {
      name: 'build',
      command: script('build'),
      count: (ok) => ({ passed: 0, failed: ok ? 0 : 1, skipped: 0 }),
    },
    ...quick.map((step) => (step.name === 'unit' ? { ...step, after: ['build'] } : step)),
    {
      name: 'e2e',
      command: script('e2e'),
      // Browsers and servers have time limits, so nothing else competes with them.
      alone: true,
      count: (ok) => countPlaywright(E2E_REPORT, ok),
      failures: () => playwrightFailures(E2E_REPORT),
    },
  ];
}
