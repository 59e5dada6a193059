import { expect, test } from 'vitest';
import type { DiffLine } from '../../../shared/model/diff';
import type { ReviewFile, ReviewHunk, TurnRef } from '../../../shared/model/change';
import { SessionId, TurnId } from '../../../shared/model/ids';
import { filterChoices, filterOf, filterValue } from './filter-choices';
import { lineNumbers, linePieces } from './line-pieces';
import { PIECE_LINES, reviewBlocks, stopsOf } from './review-blocks';
import { goneStops } from './review-data';
import { changesLeft, emptyReview, withFiles, type FileTexts, type ReviewState } from './review-state';
import { afterDecision, keyAction, nearest, walk, type Step } from './review-walk';
import { decisionWords } from './spoken-words';

const ALL = { sessionId: null, turnId: null };
const turn = (number: number, session = 's1'): TurnRef => ({
  sessionId: SessionId.parse(session),
  sessionTitle: `Session ${session}`,
  turnId: TurnId.parse(`t${number}${session}`),
  number,
  request: `request ${number}`,
  at: number,
});

const lines = (count: number): DiffLine[] =>
  Array.from({ length: count }, () => ({ kind: 'add', text: 'x' }));
const hunk = (id: string, count = 2): ReviewHunk => ({
  id,
  hunk: { oldStart: 1, oldLines: 0, newStart: 1, newLines: count, lines: lines(count) },
  turns: [],
  isMixed: false,
});
const fileOf = (path: string, hunkCount: number, more: Partial<ReviewFile> = {}): ReviewFile => ({
  ...{ path, movedFrom: null, change: 'modify', additions: 1, deletions: 0, hunkCount, turns: [] },
  ...{ isOpaque: false, canReject: true },
  ...more,
});
const ready = (file: ReviewFile, hunks: ReviewHunk[]): FileTexts => ({
  kind: 'ready',
  texts: { file, base: '', current: '', currentHash: null, hunks },
});

/** `{ 'a.ts': ['1', '2'] }`: files and the ids of their hunks; null for one that is not read yet. */
function stateOf(tree: Record<string, string[] | null>, decided: string[] = []): ReviewState {
  const files = Object.entries(tree).map(([path, ids]) => fileOf(path, ids?.length ?? 1));
  const texts = new Map(
    files.flatMap((file) => {
      const ids = tree[file.path];
      return ids
        ? [
            [
              file.path,
              ready(
                file,
                ids.map((id) => hunk(id)),
              ),
            ] as const,
          ]
        : [];
    }),
  );
  return { ...emptyReview(ALL), ready: true, files, texts, decided: new Set(decided) };
}

const blocksOf = (state: ReviewState, folded: string[] = []) => reviewBlocks(state, new Set(folded));
const stopKeys = (state: ReviewState, folded: string[] = []): string[] =>
  stopsOf(blocksOf(state, folded)).map(({ key }) => key);

test('each hunk is a stop; a file that is not read yet, or has none, is one as a whole', () => {
  const state = stateOf({ 'a.ts': ['1', '2'], 'b.ts': null, 'c.bin': [] });
  expect(stopKeys(state)).toEqual(['a.ts\u00001', 'a.ts\u00002', 'b.ts\0', 'c.bin\0']);
  expect(stopKeys(state, ['a.ts'])).toEqual(['b.ts\0', 'c.bin\0']);
});

test('long hunks are drawn in pieces, of which only the first is a stop', () => {
  const file = fileOf('a.ts', 1);
  const texts = new Map([['a.ts', ready(file, [hunk('1', PIECE_LINES * 2 + 1)])]]);
  const blocks = blocksOf({ ...emptyReview(ALL), files: [file], texts });
  expect(blocks.map(({ kind }) => kind)).toEqual(['file', 'hunk', 'hunk', 'hunk']);
  expect(stopsOf(blocks)).toHaveLength(1);
});

test('what is being decided is off the page at once, with the head of a file that it was the last of', () => {
  const state = stateOf({ 'a.ts': ['1'], 'b.ts': ['1', '2'] }, ['a.ts\u00001', 'b.ts\u00002']);
  expect(stopKeys(state)).toEqual(['b.ts\u00001']);
  expect(blocksOf(state).filter(({ kind }) => kind === 'file')).toHaveLength(1);
  expect(changesLeft(state)).toBe(1);
});

test('steps go through hunks and files and hold at the ends', () => {
  const stops = stopsOf(blocksOf(stateOf({ 'a.ts': ['1', '2'], 'b.ts': ['3', '4'], 'c.ts': ['5'] })));
  const from = (key: string | null, step: Step): string | undefined =>
    walk(
      stops,
      key === null ? null : (stops.find((stop) => stop.key.endsWith(key))?.key ?? null),
      step,
    )?.key.at(-1);
  expect(from(null, 'next')).toBe('1');
  expect(from('2', 'next')).toBe('3');
  expect(from('5', 'next')).toBe('5');
  expect(from('1', 'previous')).toBe('1');
  expect(from('1', 'nextFile')).toBe('3');
  expect(from('4', 'previousFile')).toBe('3');
  expect(from('3', 'previousFile')).toBe('1');
  expect(from('5', 'nextFile')).toBe('5');
  expect(from('3', 'last')).toBe('5');
  expect(walk([], null, 'next')).toBeNull();
});

test('after a decision comes the next change; after the last one the one before', () => {
  const state = stateOf({ 'a.ts': ['1', '2'], 'b.ts': ['3'] });
  const stops = stopsOf(blocksOf(state));
  const after = (gone: ReadonlySet<string>): string | undefined =>
    afterDecision(stops, [...gone][0] ?? null, gone)?.key.at(-1);
  expect(after(new Set(['a.ts\u00001']))).toBe('2');
  expect(after(new Set(['b.ts\u00003']))).toBe('2');
  const file = goneStops(state, { path: fileOf('a.ts', 2).path, hunkId: null });
  expect(afterDecision(stops, 'a.ts\u00001', file)?.key).toBe('b.ts\u00003');
  expect(afterDecision(stops, 'a.ts\u00001', goneStops(state, { path: null, hunkId: null }))).toBeNull();
});

test('when the current change is gone by itself, its place is taken by what is next to it', () => {
  const before = stopsOf(blocksOf(stateOf({ 'a.ts': ['1', '2'], 'b.ts': ['3'] })));
  const after = stopsOf(blocksOf(stateOf({ 'b.ts': ['3'] })));
  expect(nearest(after, before, 'a.ts\u00002')?.key).toBe('b.ts\u00003');
  expect(nearest(before, after, 'b.ts\u00003')?.key).toBe('b.ts\u00003');
  const three = stopsOf(blocksOf(stateOf({ 'a.ts': ['1', '2', '4'] })));
  const two = stopsOf(blocksOf(stateOf({ 'a.ts': ['1', '4'] })));
  expect(nearest(two, three, 'a.ts\u00002')?.key).toBe('a.ts\u00004');
  const unread = stopsOf(blocksOf(stateOf({ 'a.ts': null, 'b.ts': ['3'] })));
  expect(nearest(before, unread, 'a.ts\0')?.key).toBe('a.ts\u00001');
});

test('keys act only without Ctrl, Alt or Meta, and Shift makes them mean the file', () => {
  const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
    keyAction({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
  expect(press('a')).toEqual({ kind: 'decide', verdict: 'accept', scope: 'hunk' });
  expect(press('R')).toEqual({ kind: 'decide', verdict: 'reject', scope: 'file' });
  expect(press('a', { ctrlKey: true })).toBeNull();
  expect(press('x')).toBeNull();
});

test('a list that stayed the same keeps its files, and what is known of gone ones is let go', () => {
  const state = { ...stateOf({ 'a.ts': ['1'], 'b.ts': ['2'] }), notes: new Map([['b.ts', 'stale']]) };
  const next = withFiles(state, [fileOf('a.ts', 1)]);
  expect(next.files[0]).toBe(state.files[0]);
  expect([...next.texts.keys()]).toEqual(['a.ts']);
  expect(next.notes.size).toBe(0);
  expect(withFiles(state, [fileOf('a.ts', 2)]).files[0]).not.toBe(state.files[0]);
  const [renewed] = withFiles(state, [fileOf('a.ts', 1, { turns: [turn(1)] })]).files;
  expect(renewed).not.toBe(state.files[0]);
});

test('the filter offers all, this session and each turn, newest first, and keeps what is chosen', () => {
  const files = [fileOf('a.ts', 1, { turns: [turn(1), turn(2)] })];
  const labels = filterChoices(files, 's1', ALL).map(({ label }) => label);
  expect(labels).toEqual(['All changes', 'This session', 'Turn 2: request 2', 'Turn 1: request 1']);
  const both = [fileOf('a.ts', 1, { turns: [turn(1), turn(5, 's2')] })];
  expect(filterChoices(both, 's1', ALL).map(({ label }) => label)).toEqual([
    'All changes',
    'This session',
    'Session: Session s2',
    'Session s2 · Turn 5: request 5',
    'Session s1 · Turn 1: request 1',
  ]);
  const chosen = { sessionId: SessionId.parse('s1'), turnId: TurnId.parse('gone') };
  expect(filterChoices([], null, chosen).at(-1)?.label).toBe('A reviewed turn');
});

test('a filter survives being the value of a select', () => {
  for (const filter of [ALL, { ...turn(1), turnId: null }, turn(1)]) {
    const { sessionId, turnId } = filter;
    expect(filterOf(filterValue({ sessionId, turnId }))).toEqual({ sessionId, turnId });
  }
});

test('lines are drawn in few pieces that join to the line, with the changed words marked', () => {
  const [before, after] = linePieces(
    {
      ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
      lines: [
        { kind: 'delete', text: 'const a = one(1); // x', oldLine: 1 },
        { kind: 'add', text: 'const a = two(1); // x', newLine: 1 },
      ],
    },
    'ts',
  );
  expect(before?.map(({ text }) => text).join('')).toBe('const a = one(1); // x');
  expect(after?.filter(({ looks }) => looks.includes('df-word')).map(({ text }) => text)).toEqual(['two']);
  expect(lineNumbers({ oldLine: 7 })).toBe('    7      ');
});

test('a decision is announced with what is left', () => {
  expect(decisionWords('accept', { path: 'src/a.ts', hunkId: '1' }, 4)).toBe('Accepted. 4 changes left.');
  expect(decisionWords('reject', { path: 'src/a.ts', hunkId: null }, 1)).toBe(
    'Rejected a.ts. 1 change left.',
  );
  expect(decisionWords('accept', { path: null, hunkId: null }, 0)).toBe(
    'Accepted all. Nothing is left to review.',
  );
});
