import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './paths.mjs';

/** How much of a failure's text is shown again at the end: its message and where it was, not a page of difference. */
const SHOWN_LINES = 14;

/** What vitest's report has in place of the message of a test that ran out of time. */
const TIMED_OUT = 'STACK_TRACE_ERROR';

const RUNNER = /^\s+at .*(?:node_modules|\(<anonymous>\))/;

/** @typedef {{ title: string, message: string }} Failure */

/**
 * @param {string} report file written by vitest's JSON reporter
 * @returns {Failure[]} tests that failed, and files that could not be loaded
 */
export function vitestFailures(report) {
  return testFiles(report).flatMap((file) => {
    const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [failure(nameOf(file), [file.message])];
    return failed.map((/** @type {any} */ test) => failureOf(file, test));
  });
}

/**
 * @param {string} report file written by vitest's JSON reporter
 * @returns {Failure[]} tests that failed first and passed when they were repeated, with how they failed
 */
export function flakyInVitest(report) {
  return testFiles(report).flatMap((file) =>
    file.assertionResults
      .filter(
        (/** @type {any} */ test) => test.status === 'passed' && (test.failureMessages ?? []).length > 0,
      )
      .map((/** @type {any} */ test) => failureOf(file, test)),
  );
}

/**
 * @param {string} report file written by Playwright's JSON reporter
 * @returns {Failure[]}
 */
export function playwrightFailures(report) {
  return specsWith(report, 'unexpected').map((spec) => {
    const errors = spec.tests.flatMap((/** @type {any} */ test) => test.results.at(-1)?.errors ?? []);
    return failure(
      `${spec.file}: ${spec.title}`,
      errors.map((/** @type {any} */ error) => error.message),
    );
  });
}

/**
 * @param {string} report file written by Playwright's JSON reporter
 * @returns {Failure[]} tests that failed first and passed when they were repeated, with how they failed
 */
export function flakyInPlaywright(report) {
  return specsWith(report, 'flaky').map((spec) => {
    const errors = spec.tests.flatMap((/** @type {any} */ test) => test.results[0]?.errors ?? []);
    return failure(
      `${spec.file}: ${spec.title}`,
      errors.map((/** @type {any} */ error) => error.message),
    );
  });
}

/**
 * @param {string} file
 * @returns {any} undefined if there is no such report
 */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @returns {any[]} */
const testFiles = (/** @type {string} */ report) => readReport(report)?.testResults ?? [];

const nameOf = (/** @type {any} */ file) => path.relative(root, file.name);

const failureOf = (/** @type {any} */ file, /** @type {any} */ test) =>
  failure(`${nameOf(file)}: ${test.fullName}`, test.failureMessages ?? []);

/** @returns {Failure} of the first message, without the test runner's own part of the stack */
const failure = (/** @type {string} */ title, /** @type {(string | undefined)[]} */ [message = '']) => ({
  title,
  message: stripVTControlCharacters(message)
    .replace(TIMED_OUT, 'ran out of time')
    .split('\n')
    .filter((line) => line.trim() !== '' && !RUNNER.test(line))
    .slice(0, SHOWN_LINES)
    .join('\n'),
});

/** @returns {any[]} the specs of which one test ended so */
function specsWith(/** @type {string} */ report, /** @type {string} */ status) {
  const specsOf = (/** @type {any} */ suite) => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  return (readReport(report)?.suites ?? [])
    .flatMap(specsOf)
    .filter((/** @type {any} */ spec) =>
      spec.tests.some((/** @type {any} */ test) => test.status === status),
    );
}
