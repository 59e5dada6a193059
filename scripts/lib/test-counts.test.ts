import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countOne, countPlaywright, countVitest, total } from './test-counts.mjs';

const report = (content: unknown) => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lathe-counts-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
};

test('reports of both runners are counted alike', () => {
  const unit = report({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
  const e2e = report({ stats: { expected: 3, unexpected: 0, flaky: 1, skipped: 4 } });
  const counts = [countVitest(unit, false), countPlaywright(e2e, true), countOne(true), countOne(false)];
  expect(counts).toEqual([
    { passed: 5, failed: 2, skipped: 2 },
    { passed: 4, failed: 0, skipped: 4 },
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 0, failed: 1, skipped: 0 },
  ]);
  expect(total(counts)).toEqual({ passed: 10, failed: 3, skipped: 6 });
});

test('a run that failed before its first test counts as a failure', () => {
  expect(countVitest('/does/not/exist.json', false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  const allGreen = report({ numPassedTests: 9, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 });
  expect(countVitest(allGreen, false)).toEqual({ passed: 9, failed: 1, skipped: 0 });
});
