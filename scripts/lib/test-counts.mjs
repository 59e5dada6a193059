import { readReport } from './test-report.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** A step that is one test by itself. */
export const countOne = (/** @type {boolean} */ ok) => ({
  passed: ok ? 1 : 0,
  failed: ok ? 0 : 1,
  skipped: 0,
});

/**
 * @param {string} report file written by vitest's JSON reporter
 * @param {boolean} ok whether vitest was content
 * @returns {Counts}
 */
export function countVitest(report, ok) {
  const found = readReport(report);
  return honest(
    {
      passed: found?.numPassedTests ?? 0,
      failed: found?.numFailedTests ?? 0,
      skipped: (found?.numPendingTests ?? 0) + (found?.numTodoTests ?? 0),
    },
    ok,
  );
}

/**
 * @param {string} report file written by Playwright's JSON reporter
 * @param {boolean} ok whether Playwright was content
 * @returns {Counts}
 */
export function countPlaywright(report, ok) {
  const stats = readReport(report)?.stats;
  return honest(
    {
      passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
      failed: stats?.unexpected ?? 0,
      skipped: stats?.skipped ?? 0,
    },
    ok,
  );
}

/** @param {readonly Counts[]} all */
export function total(all) {
  return all.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** A run that failed without a failing test – a file that does not load, no report at all – counts as one failure. */
const honest = (/** @type {Counts} */ counts, /** @type {boolean} */ ok) =>
  ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
