import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { MAX_COMPARED_LINES } from '../trace/content-texts';
import { ALL, startReview } from './testing/review-bench';

const many = (count: number): string => 'x\n'.repeat(count);
const sed = (line: number) => calls('run_command', { command: `sed -i '${line}s/.*/changed/' big.txt` });
const ASKED = { flag: 'dialog', approve: 'allow_once' } as const;

test('case-D07: a file of very many lines waits as a whole; origins, contents, reject and undo go on working', async () => {
  const text = many(MAX_COMPARED_LINES + 1);
  const changed = text.replace('x\nx\nx', 'x\nchanged\nx');
  const bench = await startReview([sed(2), 'Done.', 'I see.'], { 'big.txt': text }, ASKED);
  await bench.app.turn('change a line');
  const { changes } = bench.app.core;
  const shown = await bench.review.pendingFile('big.txt', ALL);
  expect(shown).toMatchObject({ hunks: [], base: null, current: null });
  expect(shown.file).toMatchObject({ change: 'modify', isOpaque: true, canReject: true, hunkCount: 0 });
  expect((await changes.trace.origins('big.txt')).origins).toEqual([]);
  const [set] = changes.log.list({ limit: 1 });
  expect(await changes.log.texts(set?.id ?? '', 'big.txt')).toEqual({ before: text, after: changed });

  const { result } = await bench.reject('big.txt');
  expect(result).toMatchObject({ files: [{ path: 'big.txt', outcome: 'restored' }], conflicts: [] });
  expect((await bench.bytes('big.txt')).toString() === text).toBe(true);
  await bench.review.undoDecision(bench.review.lastDecision()?.id ?? '');
  expect((await bench.bytes('big.txt')).toString() === changed).toBe(true);
  await bench.accept('big.txt');
  expect(await bench.pending()).toEqual([]);
});

test('a file of as many lines as are compared still waits line by line', async () => {
  const bench = await startReview([sed(2), 'Done.'], { 'big.txt': many(MAX_COMPARED_LINES) }, ASKED);
  await bench.app.turn('change a line');
  expect(await bench.lines('big.txt')).toEqual(['-x +changed']);
});

test('case-D07: over the size that is kept, the change is listed and what can’t be done is said', async () => {
  const text = many(3_000_000);
  const bench = await startReview([sed(2), 'Done.'], { 'big.txt': text }, ASKED);
  const { view } = await bench.app.turn('change a line');
  const { changes } = bench.app.core;
  expect(JSON.stringify(view.items)).toContain('big.txt');
  const [file] = await bench.review.pending(ALL);
  expect(file).toMatchObject({ path: 'big.txt', isOpaque: true, canReject: false });
  const [set] = changes.log.list({ limit: 1 });
  await expect(changes.log.texts(set?.id ?? '', 'big.txt')).rejects.toMatchObject({ code: 'not_found' });
  expect(
    await changes.undo.undo({ kind: 'set', setId: set?.id as NonNullable<typeof set>['id'] }),
  ).toMatchObject({
    setId: null,
    files: [{ path: 'big.txt', outcome: 'not_kept' }],
  });
  await bench.accept(null);
  expect(await bench.pending()).toEqual([]);
});
