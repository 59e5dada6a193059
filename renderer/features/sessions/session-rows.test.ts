import { expect, test } from 'vitest';
import { SessionSummary } from '../../../shared/model/session';
import { foundRows, markedParts, moveInRows, sessionRows, withoutSession, withSession } from './session-rows';

const now = new Date(2026, 10, 25, 9, 30).getTime();
const session = (id: string, title: string, updatedAt: number) =>
  SessionSummary.parse({
    id,
    projectId: 'p',
    projectPath: '/p',
    title,
    mode: 'agent',
    model: null,
    activity: 'idle',
    lastFact: '',
    messageCount: 1,
    createdAt: 1,
    updatedAt,
  });
const old = session('old', 'Upgrade to Node 24', new Date(2026, 10, 1).getTime());
const fresh = session('fresh', 'Honour Retry-After', now - 60_000);
const older = session('older', 'Flaky sign test', now - 120_000);

test('A2: subagents stand under the session that started them, in their own order; one whose parent is not listed stands alone', () => {
  const child = (id: string, updatedAt: number, createdAt: number) => ({
    ...session(id, `Sub ${id}`, updatedAt),
    createdAt,
    parentId: older.id,
  });
  const rows = sessionRows([child('second', now, 9), fresh, child('first', now - 1, 8), older], '', now);
  expect(rows.map((row) => row.key)).toEqual(['group-Today', 'fresh', 'older', 'first', 'second']);
  expect(sessionRows([child('lone', now, 1), older], 'sub', now)).toMatchObject([
    { kind: 'heading' },
    { key: 'lone', isChild: false },
  ]);
});

test('sessions stand newest first under their day', () => {
  expect(sessionRows([old, older, fresh], '', now).map((row) => row.key)).toEqual([
    'group-Today',
    'fresh',
    'older',
    'group-Older',
    'old',
  ]);
});

test('a search keeps the titles that hold every word', () => {
  expect(sessionRows([old, older, fresh], 'test SIGN', now).map((row) => row.key)).toEqual([
    'group-Today',
    'older',
  ]);
  expect(sessionRows([old], 'nothing', now)).toEqual([]);
});

test('an update replaces its session and a removal takes it out', () => {
  const renamed = { ...old, title: 'Node 24' };
  expect(withSession([old, fresh], renamed)).toEqual([renamed, fresh]);
  expect(withoutSession([old, fresh], 'old')).toEqual([fresh]);
});

test('arrows skip headings and stop at the ends', () => {
  const rows = sessionRows([old, older, fresh], '', now);
  expect(moveInRows(rows, null, 'ArrowDown')).toBe('fresh');
  expect(moveInRows(rows, 'older', 'ArrowDown')).toBe('old');
  expect(moveInRows(rows, 'old', 'ArrowDown')).toBe('old');
  expect(moveInRows(rows, 'fresh', 'ArrowUp')).toBe('fresh');
  expect(moveInRows(rows, 'fresh', 'End')).toBe('old');
  expect(moveInRows(rows, 'fresh', 'x')).toBeNull();
});

test('a search lists sessions of all projects with what was found, and says which are elsewhere', () => {
  const hit = { position: 3, role: 'user', at: 1, text: 'a flaky test', ranges: [[2, 7]] } as const;
  const far = { ...old, projectId: 'q' } as typeof old;
  const found = [
    { session: fresh, projectPath: '/p', hits: [{ ...hit, ranges: [[2, 7] as [number, number]] }], count: 5 },
    { session: far, projectPath: '/home/me/other/', hits: [], count: 0 },
  ];
  expect(foundRows(found, 'p', now)).toMatchObject([
    { kind: 'heading', label: 'Today' },
    { key: 'fresh', more: 4, elsewhere: null },
    { kind: 'heading', label: 'Older' },
    { key: 'old', more: 0, elsewhere: 'other' },
  ]);
  expect(markedParts(hit.text, hit.ranges)).toEqual([
    { text: 'a ', found: false },
    { text: 'flaky', found: true },
    { text: ' test', found: false },
  ]);
});
