import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MATCH_STRATEGIES } from '../match/strategies';
import { formatReport, judge, parseAttempts, type Judged } from './report';

const judged = ['slips', 'hard'].flatMap((name) =>
  parseAttempts(readFileSync(join(import.meta.dirname, `${name}.jsonl`), 'utf8')).map(judge),
);
const ids = (verdict: Judged['verdict']): string[] =>
  judged.filter((each) => each.verdict === verdict).map(({ attempt }) => attempt.id);

test('E2: of the edits that models really make, none is applied wrongly', () => {
  console.log(formatReport(judged));
  expect(judged.length).toBeGreaterThanOrEqual(300);
  expect(ids('accepted-wrong')).toEqual([]);
});

test('E2: every edit whose meaning is certain is applied, and every strategy is needed for some', () => {
  expect(ids('refused-wrong')).toEqual([]);
  for (const { name } of MATCH_STRATEGIES) {
    expect(judged.filter(({ strategy }) => strategy === name).length).toBeGreaterThan(10);
  }
});

test('E1: every refusal says why and what to look at', () => {
  for (const { verdict, got } of judged) {
    if (verdict === 'refused-right')
      expect(got).toMatch(
        /closest place|Nothing similar|matches \d+ places|are the same|Read the file again/,
      );
  }
});
