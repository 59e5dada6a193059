import { expect, test } from 'vitest';
import type { FileVersion } from './line-history';
import { writersOfLines } from './trace-job';
import { traceLines } from './trace-lines';

const LINES = 12_000;
const text = (lines: readonly number[]): string =>
  lines.map((line) => `line number ${line} of a long file\n`).join('');

/** Texts so long that they are followed in a thread: as written, in another order, with one line changed. */
function longVersions(): FileVersion<string>[] {
  const lines = Array.from({ length: LINES }, (_, at) => at);
  const reordered = lines.map((at) => (at * 7_919) % LINES);
  const changed = reordered.with(6_000, LINES + 1);
  return [
    { text: text(lines), hash: '1', author: null },
    { text: text(reordered), hash: '2', author: 'one who sorts' },
    { text: undefined, hash: '3', author: 'one whose text is not kept' },
    { text: text(reordered), hash: '2', author: 'an undo' },
    { text: text(changed), hash: '4', author: 'one who edits' },
  ];
}

test('a long file whose lines were reordered has the same writers wherever it is followed', async () => {
  const versions = longVersions();
  const writers = await writersOfLines(versions);
  expect(writers).toHaveLength(LINES);
  expect(writers[6_000]).toBe('one who edits');
  expect(new Set(writers)).toEqual(new Set([null, 'one who sorts', 'one who edits']));
  expect(writers).toEqual((await traceLines(versions)).origins);
});

test('a short one is followed here', async () => {
  const versions: FileVersion<string>[] = [
    { text: 'a\nb\n', hash: '1', author: null },
    { text: 'a\nB\n', hash: '2', author: 'somebody' },
  ];
  expect(await writersOfLines(versions)).toEqual([null, 'somebody']);
});
