import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countOne } from './test-counts.mjs';
import { failureLines } from './steps.mjs';
import { flakyInPlaywright, flakyInVitest, playwrightFailures, vitestFailures } from './test-report.mjs';

const report = (content: unknown) => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lathe-report-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};

test('failed tests of both runners are named with the beginning of their message, and so are shaky ones', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'web/a.spec.ts',
    tests: [{ status, results: messages.map((message) => ({ errors: [{ message }] })) }],
  });
  const e2e = report({
    suites: [
      {
        specs: [spec('steady', 'expected')],
        suites: [{ specs: [spec('shaky', 'flaky', 'late', '')], suites: [] }],
      },
      { specs: [spec('broken', 'unexpected', 'first', '\u001b[31msecond\u001b[39m\n\nat a')] },
    ],
  });
  expect(flakyInPlaywright(e2e)).toEqual([{ title: 'web/a.spec.ts: shaky', message: 'late' }]);
  expect(playwrightFailures(e2e)).toEqual([{ title: 'web/a.spec.ts: broken', message: 'second\nat a' }]);
  const long = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
  const unit = report({
    testResults: [
      {
        name: path.resolve('main/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'fine', failureMessages: [] },
          {
            status: 'passed',
            fullName: 'shaky',
            failureMessages: ['late\n    at a.test.ts:1\n    at x (file:///node_modules/r.js:1)', 'later'],
          },
          { status: 'failed', fullName: 'wrong', failureMessages: [long] },
          { status: 'failed', fullName: 'late', failureMessages: ['Error: STACK_TRACE_ERROR\n  at b:1'] },
        ],
      },
      { name: path.resolve('b.test.ts'), status: 'failed', message: 'does not load', assertionResults: [] },
    ],
  });
  expect(vitestFailures(unit)).toEqual([
    { title: 'main/a.test.ts: wrong', message: long.split('\n').slice(0, 14).join('\n') },
    { title: 'main/a.test.ts: late', message: 'Error: ran out of time\n  at b:1' },
    { title: 'b.test.ts', message: 'does not load' },
  ]);
  expect(flakyInVitest(unit)).toEqual([
    { title: 'main/a.test.ts: shaky', message: 'late\n    at a.test.ts:1' },
  ]);
  for (const read of [flakyInPlaywright, flakyInVitest, playwrightFailures, vitestFailures])
    expect(read('/does/not/exist.json')).toEqual([]);
});

test('a failed step ends the summary with its tests, or with the end of what it printed', () => {
  const step = { name: 'unit', command: [], count: countOne };
  const result = { step, ok: false, seconds: 1, output: `${'x\n'.repeat(100)}the reason\n` };
  expect(failureLines(result).slice(0, 1)).toEqual(['unit failed:']);
  expect(failureLines(result)).toHaveLength(21);
  expect(failureLines(result).at(-1)).toBe('the reason');
  expect(failureLines({ ...result, ok: true })).toEqual([]);
  const failures = () => [{ title: 'a.test.ts: wrong', message: 'one\ntwo' }];
  expect(failureLines({ ...result, step: { ...step, failures } })).toEqual([
    'FAILED a.test.ts: wrong',
    '  one',
    '  two',
  ]);
});
