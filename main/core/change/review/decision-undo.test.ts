import { readdir, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { edit, patch, startReview, write } from './testing/review-bench';

const ROWS = 'a\nb\nc\nd\ne\nf\ng\nh\n';
const ENDS = 'A\nb\nc\nd\ne\nf\ng\nH\n';

async function undoLast({ review }: Awaited<ReturnType<typeof startReview>>) {
  return await review.undoDecision(review.lastDecision()?.id ?? '');
}

test('accepts of hunks, of a file and of all are taken back one by one, the newest first, and no file is written', async () => {
  const bench = await startReview([write('a.txt', ENDS), write('new.txt', 'n\n'), 'Done.'], {
    'a.txt': ROWS,
  });
  await bench.app.turn('ends');
  expect(bench.review.lastDecision()).toBeNull();
  const [first, last] = await bench.hunks('a.txt');
  await bench.accept('a.txt', [first?.id ?? '']);
  await bench.accept('a.txt', [last?.id ?? '']);
  await bench.accept(null);
  expect(await bench.pending()).toEqual([]);
  const before = await Promise.all(['a.txt', 'new.txt'].map((name) => stat(bench.path(name))));
  const entries = bench.app.core.changes.log.list({}).length;

  expect(bench.review.lastDecision()).toMatchObject({ verdict: 'accept', files: 1, path: 'new.txt' });
  expect(await undoLast(bench)).toMatchObject({ waits: ['new.txt'], changes: 1, left: [], result: null });
  expect(await bench.pending()).toEqual(['create new.txt 1']);
  expect(await undoLast(bench)).toMatchObject({ waits: ['a.txt'] });
  expect(await bench.lines('a.txt')).toEqual(['-h +H']);
  await undoLast(bench);
  expect(await bench.lines('a.txt')).toEqual(['-a +A', '-h +H']);
  expect((await bench.hunks('a.txt')).map(({ id }) => id)).toEqual([first?.id, last?.id]);
  expect(bench.review.lastDecision()).toBeNull();

  const after = await Promise.all(['a.txt', 'new.txt'].map((name) => stat(bench.path(name))));
  expect(after.map(({ ino, ctimeMs }) => [ino, ctimeMs])).toEqual(
    before.map(({ ino, ctimeMs }) => [ino, ctimeMs]),
  );
  expect(bench.app.core.changes.log.list({})).toHaveLength(entries);
});

test('an accept is taken back after a restart; what people changed since stays theirs, and it can be rejected then', async () => {
  const bench = await startReview([write('a.txt', ENDS), 'Done.', 'I see.'], { 'a.txt': ROWS });
  await bench.app.turn('ends');
  await bench.accept('a.txt');
  await bench.save('a.txt', ENDS.replace('d\n', 'd\nmine\n'));
  await bench.restart();
  expect(bench.review.lastDecision()).toMatchObject({ verdict: 'accept', path: 'a.txt' });
  await undoLast(bench);
  expect(await bench.lines('a.txt')).toEqual(['-a +A', '-h +H']);
  await bench.reject('a.txt');
  expect(await bench.app.read('a.txt')).toBe(ROWS.replace('d\n', 'd\nmine\n'));
});

test('accepts and rejects are taken back in the order in which they were made, and only the one that was seen', async () => {
  const bench = await startReview([write('a.txt', ENDS), 'Done.', edit('a.txt', 'd', 'D'), 'Done.'], {
    'a.txt': ROWS,
  });
  await bench.app.turn('ends');
  const [first, last] = await bench.hunks('a.txt');
  await bench.reject('a.txt', [first?.id ?? '']);
  const seen = bench.review.lastDecision();
  await bench.accept('a.txt', [last?.id ?? '']);
  await expect(bench.review.undoDecision(seen?.id ?? '')).rejects.toMatchObject({ code: 'stale' });

  expect((await undoLast(bench)).decision.verdict).toBe('accept');
  expect(await bench.app.read('a.txt')).toBe(ENDS.replace('A', 'a'));
  const { decision, result } = await undoLast(bench);
  expect(decision).toEqual(seen);
  expect(result).toMatchObject({ files: [{ path: 'a.txt', outcome: 'restored' }], conflicts: [] });
  expect(await bench.app.read('a.txt')).toBe(ENDS);
  expect(await bench.lines('a.txt')).toEqual(['-a +A', '-h +H']);
  expect(bench.review.lastDecision()).toBeNull();
});

test('later changes of the agent wait together with what is taken back from being accepted', async () => {
  const bench = await startReview([write('a.txt', ENDS), 'Done.', edit('a.txt', 'd', 'D'), 'Done.'], {
    'a.txt': ROWS,
  });
  await bench.app.turn('ends');
  await bench.accept('a.txt');
  await bench.app.turn('middle');
  expect(await bench.lines('a.txt')).toEqual(['-d +D']);
  await undoLast(bench);
  expect(await bench.lines('a.txt')).toEqual(['-a +A', '-d +D', '-h +H']);
});

test('an accept of a move, a deletion and a file that is no text is taken back', async () => {
  const bench = await startReview(
    [
      patch('*** Update File: a.txt', '*** Move to: b.txt', '@@', '-b', '+B', '*** Delete File: gone.txt'),
      'Done.',
    ],
    { 'a.txt': ROWS, 'gone.txt': 'x\n' },
  );
  await bench.app.turn('move');
  const waiting = await bench.pending();
  expect(waiting).toEqual(['move b.txt 1', 'delete gone.txt 1']);
  await bench.accept(null);
  expect(bench.review.lastDecision()).toMatchObject({ files: 2, path: null });
  expect(await undoLast(bench)).toMatchObject({ waits: ['b.txt', 'gone.txt'], left: [] });
  expect(await bench.pending()).toEqual(waiting);
  await bench.reject(null);
  expect((await readdir(bench.app.project)).filter((name) => name.endsWith('.txt'))).toEqual([
    'a.txt',
    'gone.txt',
  ]);
  expect(await bench.app.read('a.txt')).toBe(ROWS);
});

test('what was changed back meanwhile does not wait again', async () => {
  const bench = await startReview([edit('a.txt', 'b\n', 'B\n'), 'Done.'], { 'a.txt': ROWS });
  await bench.app.turn('large b');
  await bench.accept('a.txt');
  await writeFile(bench.path('a.txt'), ROWS);
  expect(await undoLast(bench)).toMatchObject({ waits: [], changes: 0, left: [] });
  expect(await bench.pending()).toEqual([]);
});
