import { expect, test } from 'vitest';
import type { DecisionFacts, DecisionUndo, ReviewFile, TurnRef } from '../../../shared/model/change';
import { WorkspacePath } from '../../../shared/model/ids';
import { joinChanged } from './change-feed';
import { problemsOf } from './decide';
import { decisionName, undoneWords } from './spoken-words';
import { pendingTotals, totalsWords, turnWords } from './review-words';

const file = (additions: number, deletions: number, hunkCount: number): ReviewFile =>
  ({ additions, deletions, hunkCount }) as ReviewFile;

test('what waits is summed up in files and lines; a file without hunks is one change', () => {
  const totals = pendingTotals([file(10, 4, 3), file(2, 0, 1), file(0, 0, 0)]);
  expect(totals).toEqual({ files: 3, hunks: 5, additions: 12, deletions: 4 });
  expect(totalsWords(totals)).toBe('3 files · +12 −4');
  expect(totalsWords(pendingTotals([file(0, 0, 0)]))).toBe('1 file');
});

test('a turn is named by its number and the beginning of its request', () => {
  const turn = (request: string): TurnRef => ({ number: 3, request }) as TurnRef;
  expect(turnWords(turn('fix the parser'))).toBe('Turn 3: fix the parser');
  expect(turnWords(turn(''))).toBe('Turn 3');
  expect(turnWords(turn('a'.repeat(60)), 10)).toBe(`Turn 3: ${'a'.repeat(9)}…`);
});

test('many changes stay many, few are joined', () => {
  expect(joinChanged(new Set(['a']), ['b', 'a'])).toEqual(new Set(['a', 'b']));
  expect(joinChanged(new Set(['a']), null)).toBeNull();
  expect(joinChanged(null, ['a'])).toBeNull();
});

test('a rejection tells which files it left alone, and why', () => {
  const files = [
    { path: 'a', outcome: 'restored', why: '' },
    { path: 'b', outcome: 'conflict', why: '' },
    { path: 'c', outcome: 'not_kept', why: 'It was over 20 MB.' },
  ] as Parameters<typeof problemsOf>[0]['files'];
  expect(problemsOf({ files })).toEqual([
    { path: 'b', text: 'It changed meanwhile in the same lines. Nothing was written.' },
    { path: 'c', text: 'It was over 20 MB.' },
  ]);
});

test('what came back is said when a decision is taken back', () => {
  const accept: DecisionFacts = { id: '1', at: 1, verdict: 'accept', files: 2, path: null };
  const reject: DecisionFacts = {
    ...accept,
    verdict: 'reject',
    files: 1,
    path: WorkspacePath.parse('src/a.ts'),
  };
  expect(decisionName(accept)).toBe('accept of 2 files');
  expect(decisionName(reject)).toBe('reject of a.ts');
  const undone = (more: Partial<DecisionUndo>): string =>
    undoneWords({ decision: accept, result: null, waits: [], changes: 0, left: [], ...more });
  const paths = (...names: string[]) => names.map((name) => WorkspacePath.parse(name));
  expect(undone({ waits: paths('src/a.ts'), changes: 1 })).toBe(
    'The accept was undone: 1 change in a.ts waits again.',
  );
  expect(undone({ waits: paths('src/a.ts', 'src/b.ts'), changes: 4, left: paths('src/c.ts') })).toBe(
    'The accept was undone: 4 changes in 2 files wait again. c.ts stayed as decided since.',
  );
  expect(undone({})).toBe('The accept was undone. Nothing of it waits any more.');
});
