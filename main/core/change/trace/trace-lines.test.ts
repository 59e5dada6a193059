import { expect, test } from 'vitest';
import type { FileVersion } from './line-history';
import { traceLines } from './trace-lines';

type Step = [text: string | null | undefined, author: string | null, restores?: number[]];

const versions = (...steps: Step[]): FileVersion<string>[] =>
  steps.map(([text, author, restores]) => ({
    text,
    hash: text === null ? null : (text ?? 'lost'),
    author,
    ...(restores ? { restores } : {}),
  }));

test('every line has the author who wrote it last, lines from before the log have none', async () => {
  const { origins, removed } = await traceLines(
    versions(
      ['a\nb\nc\n', null],
      ['a\nB\nc\n', 'one'],
      ['a\nB\nc\nd\n', 'two'],
      ['x\na\nB\nC\nd\n', 'three'],
    ),
  );
  expect(origins).toEqual(['three', null, 'one', 'three', 'two']);
  expect(removed).toEqual([null, 'one', 'three']);
});

test('an undo that restores the exact former content restores the former authors', async () => {
  const { origins, removed } = await traceLines(
    versions(['a\nb\n', null], ['A\nb\n', 'one'], ['A\nB\n', 'two'], ['A\nb\n', 'undo'], ['A\nB\n', 'redo']),
  );
  expect(origins).toEqual(['one', 'two']);
  expect(removed).toEqual(['one', 'two']);
});

test('an undo round later changes gives the lines it brings back the authors they had', async () => {
  const { origins, removed } = await traceLines(
    versions(
      ['a\nb\nc\nd\n', null],
      ['a\nb1\nc\nd\n', 'one'],
      ['a\nb2\nc\nd\n', 'two'],
      ['a\nb2\nc\nd\nuser\n', 'user'],
      ['a\nb1\nc\nd\nuser\n', 'undo', [1]],
    ),
  );
  expect(origins).toEqual([null, 'one', null, null, 'user']);
  expect(removed).toEqual([null, 'one', null, null]);
});

test('lines that changed across a version that is not kept have no author, the others keep theirs', async () => {
  const { origins } = await traceLines(
    versions(
      ['a\nb\n', null],
      ['A\nb\n', 'one'],
      [undefined, 'two'],
      ['A\nX\n', 'three'],
      ['A\nX\ny\n', 'four'],
    ),
  );
  expect(origins).toEqual(['one', null, 'four']);
});

test('a file that begins with an unknown content has no authors until somebody writes', async () => {
  const { origins } = await traceLines(versions([undefined, null], ['a\nb\n', 'one'], ['a\nB\n', 'two']));
  expect(origins).toEqual([null, 'two']);
});

test('a created, deleted and created file belongs to its last maker, and to the first when its content comes back', async () => {
  const made: Step = ['a\n', 'one'];
  const gone: Step = [null, 'two'];
  const begin: Step = [null, null];
  expect((await traceLines(versions(begin, made, gone, ['b\n', 'three']))).origins).toEqual(['three']);
  expect((await traceLines(versions(begin, made, gone, ['a\n', 'undo']))).origins).toEqual(['one']);
});

test('a last line that loses its line break was written by who took it', async () => {
  expect((await traceLines(versions(['a\nb\n', null], ['a\nb', 'one']))).origins).toEqual([null, 'one']);
});

test('10,000 lines through 50 versions are followed right, in slices', async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at}`);
  const chain: FileVersion<number>[] = [{ text: `${lines.join('\n')}\n`, hash: '0', author: null }];
  const expected = Array<number | null>(10_000).fill(null);
  for (let step = 1; step < 50; step += 1) {
    for (let change = 0; change < 40; change += 1) {
      const at = (step * 7919 + change * 251) % 10_000;
      lines[at] = `line ${at} of ${step}`;
      expected[at] = step;
    }
    chain.push({ text: `${lines.join('\n')}\n`, hash: `${step}`, author: step });
  }
  let [longest, before, ticking] = [0, performance.now(), true];
  const tick = (): void => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
    if (ticking) setImmediate(tick);
  };
  setImmediate(tick);
  const start = process.cpuUsage();
  const { origins } = await traceLines(chain);
  const { user, system } = process.cpuUsage(start);
  ticking = false;
  expect(origins).toEqual(expected);
  console.log(
    `50 versions of 10,000 lines: ${Math.round((user + system) / 1000)} ms of CPU, longest slice ${longest.toFixed(0)} ms`,
  );
});
