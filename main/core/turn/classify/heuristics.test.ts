import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyByWords } from './heuristics';
import { FIELDS, formatReports, parseRequests, reportOn, type Field } from './report';

const requests = parseRequests(readFileSync(join(import.meta.dirname, 'data/requests.jsonl'), 'utf8'));
const dev = requests.filter(({ set }) => set === 'dev');
const held = requests.filter(({ set }) => set === 'held');

test('H14: there are at least 150 labelled requests, in several languages, no two alike', () => {
  expect(requests.length).toBeGreaterThanOrEqual(150);
  expect(new Set(requests.map(({ text, after }) => `${after} ${text}`)).size).toBe(requests.length);
  expect(requests.filter(({ text }) => /[^\p{ASCII}]/u.test(text)).length).toBeGreaterThanOrEqual(30);
});

const DEV_SHARE = 0.9;
/** Requests the rules were not made for; expectsMultiStep and complexity are matters of taste there. */
const HELD_SHARE: Record<Field, number> = {
  goalKind: 0.85,
  isActionable: 0.85,
  editScope: 0.75,
  complexity: 0.6,
  needsShell: 0.85,
  chatOnly: 0.9,
  isFollowUp: 0.85,
  expectsMultiStep: 0.7,
  needsFlagship: 0.9,
};

test.each(FIELDS)('H14: %s is right for the labelled requests', (field) => {
  const [known, unknown] = [dev, held].map((set) => reportOn(set).find((report) => report.field === field));
  if (!known || !unknown) throw new Error('no report');
  expect(known.right / known.total, JSON.stringify(known.misses)).toBeGreaterThanOrEqual(DEV_SHARE);
  expect(unknown.right / unknown.total).toBeGreaterThanOrEqual(HELD_SHARE[field]);
});

test('H14: where the words decide, the kind of goal is right for 19 of 20', () => {
  for (const set of [dev, held]) {
    const report = reportOn(set).find(({ field }) => field === 'goalKind');
    expect((report?.sureRight ?? 0) / (report?.sureTotal ?? 1)).toBeGreaterThanOrEqual(0.92);
  }
});

test('H14: the report prints a confusion table for every field', () => {
  const text = formatReports('held', reportOn(held));
  for (const field of FIELDS) expect(text).toContain(`${field}: `);
  expect(text).toMatch(/code_change\s+\d+\s+\d+/);
});

test.each([
  ['', { isActionable: false }],
  ['\u0000\ud800 `', { isActionable: false }],
  ['x'.repeat(200_000), {}],
  ['a, '.repeat(50_000), {}],
  ['`'.repeat(20_000), {}],
  ['how does it work?', { goalKind: 'analysis', isActionable: false, chatOnly: false }],
] as const)('H14: any text is classified at once (%#)', (text, fields) => {
  const result = classifyByWords(text);
  expect(result).toMatchObject(fields);
  expect(result.confidence).toBeGreaterThan(0);
});

test('H14: the same words mean something else after something was said', () => {
  expect(classifyByWords('do it').isFollowUp).toBe(false);
  expect(classifyByWords('do it', { previous: { goalKind: 'analysis' } })).toMatchObject({
    isFollowUp: true,
    goalKind: 'code_change',
  });
});
