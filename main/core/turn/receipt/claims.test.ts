import { expect, test } from 'vitest';
import { findClaims } from './claims';

const kinds = (text: string) =>
  findClaims(text).map(({ kind, check, command }) =>
    [kind, check ?? command].filter((part) => part !== undefined).join(' '),
  );

test.each([
  ['All tests pass.', ['checks tests']],
  ['The tests are green now.', ['checks tests']],
  ['All 12 tests passed.', ['checks tests']],
  ['The test suite ran without errors.', ['checks tests']],
  ['There are no failing tests.', ['checks tests']],
  ['Tests: 0 failures.', ['checks tests']],
  ['Die Tests laufen durch.', ['checks tests']],
  ['Type checking passes and lint is clean.', ['checks types', 'checks lint']],
  ['The project builds without errors.', ['checks build']],
  ['I ran `npm test`.', ['ran npm test']],
  ['I ran the linter.', ['ran lint']],
  ['Ran `cargo build --release` to be sure.', ['ran cargo build --release']],
  ['I fixed `src/add.js`.', ['edited']],
  ['- Updated src/add.js and its caller', ['edited']],
  ['`src/add.js` was changed.', ['edited']],
  ['Fixed: `add` adds now.', ['edited']],
  ['I have verified that it works.', ['verified']],
  ['Ich habe src/a.ts angepasst.', ['edited']],
])('"%s" states something that can be checked', (text, expected) => {
  expect(kinds(text)).toEqual(expected);
});

test.each([
  'The tests should pass now.',
  'Run `npm test` to see whether the tests pass.',
  'The tests do not pass yet.',
  'I did not run the tests.',
  'Two tests fail.',
  'If the tests pass, merge it.',
  'Nothing to do, so that the tests pass.',
  'I will fix `src/add.js` next.',
  'You can edit `src/add.js`.',
  'Do the tests pass?',
  'I left `src/add.js` as it was; nothing was not changed.',
  '```\nAll tests pass\n```',
  '> All tests pass.',
  'I fixed it in the previous turn.',
  'The test checks that a user can be added.',
  'Hello.',
  '',
])('"%s" states nothing about this turn', (text) => {
  expect(findClaims(text)).toEqual([]);
});

test('files are taken from code and from bare names, without line numbers; members of objects are none', () => {
  const files = (text: string) => findClaims(text)[0]?.files;
  expect(files('I changed `src/a.ts:12` and lib/b.py.')).toEqual(['src/a.ts', 'lib/b.py']);
  expect(files('I renamed `user.name` to `user.title`.')).toEqual([]);
  expect(files('I updated the Readme.')).toEqual([]);
  expect(files('Updated `a.ts`, `b.ts` and c.py; `d.ts` is as it was.')).toEqual(['a.ts', 'b.ts', 'c.py']);
  expect(files('I fixed `a.ts` so that `b.ts` compiles.')).toEqual(['a.ts']);
  expect(files('Both `a.ts` and `b.ts` were changed.')).toEqual(['a.ts', 'b.ts']);
  expect(files('In `src/x.ts` I renamed `a.ts` to `b.ts`.')).toEqual(['a.ts']);
});

test('long and odd texts are read at once', () => {
  for (const text of [
    'a '.repeat(100_000),
    '`'.repeat(50_000),
    'I fixed '.repeat(20_000),
    '```\n'.repeat(20_000),
  ]) {
    expect(findClaims(text).length).toBeLessThan(5);
  }
});
