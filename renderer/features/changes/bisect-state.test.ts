import { expect, test } from 'vitest';
import { BisectProgress } from '../../../shared/contract/changes';
import { bisectWords, NO_BISECT, nextBisect, type BisectState } from './bisect-state';

const play = (...messages: object[]): BisectState =>
  messages
    .map((message) => BisectProgress.parse(message))
    .reduce(nextBisect, { ...NO_BISECT, phase: 'running' as const });

const run = (number: number, passed: boolean | null, output = '') => ({
  ...{ kind: 'run', run: number, most: 5, label: `Point ${number}`, passed, output },
});

test('a run tells more of itself, and each is counted once', () => {
  const state = play({ kind: 'copying', files: 1200 }, run(1, null), run(1, true, 'ok'), run(2, null, 'go'));
  expect(state.points.map(({ run: at, passed }) => [at, passed])).toEqual([
    [1, true],
    [2, null],
  ]);
  expect(state.output).toBe('go');
  expect(bisectWords(state)).toBe('Run 2 of 5 at most');
  expect(bisectWords(play({ kind: 'copying', files: 1200 }))).toBe('Copying 1,200 files…');
});

test('the last message ends it', () => {
  const state = play(run(1, false), { kind: 'nothing', why: 'It fails at the beginning too.', runs: 2 });
  expect(state.phase).toBe('done');
  expect(bisectWords(state)).toBe('Nothing found after 2 runs.');
});
