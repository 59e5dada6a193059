import { expect, test } from 'vitest';
import { SessionId, TurnId } from '../../../shared/model/ids';
import { reviewBlocks, stopsOf } from '../../lib/review/review-blocks';
import { goneStops } from '../../lib/review/review-data';
import type { ReviewState } from '../../lib/review/review-state';
import { ALL, fileOf, stateOf, turn } from '../../lib/review/testing/review-samples';
import { filterChoices, filterOf, filterValue } from './filter-choices';
import { afterDecision, keyAction, nearest, walk, type Step } from './review-walk';

const blocksOf = (state: ReviewState, folded: string[] = []) => reviewBlocks(state, new Set(folded));

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
