import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChangeAuthor, EntryState, PathChange } from '../../../shared/model/change';
import { scratchFolder } from '../testing/scratch-folder';
import { sha256 } from '../workspace/workspace-files';
import { createChangeStore } from './change-store';
import { migrate } from './migrate';
import { MIGRATIONS } from './open-store';
import { Sql } from './sql';

const hash = (text: string): string => sha256(Buffer.from(text));
const state = (text: string | null): EntryState | null =>
  text === null
    ? null
    : EntryState.parse({
        kind: 'file',
        hash: hash(text),
        mode: 0o644,
        sizeBytes: text.length,
        isKept: true,
      });
const change = (path: string, before: string | null, after: string | null): PathChange =>
  PathChange.parse({ path, before: state(before), after: state(after) });
const agent = (turn: string, call: string, kind: 'agent' | 'command' = 'agent'): ChangeAuthor =>
  ChangeAuthor.parse({ kind, sessionId: 's', turnId: turn, callId: call, command: 'make' });
const user: ChangeAuthor = { kind: 'user' };

function open() {
  const dir = scratchFolder('lathe-changes-');
  const sql = Sql.open(join(dir, 'm.db'));
  migrate(sql, MIGRATIONS, dir);
  sql.exec(
    `INSERT INTO projects (id, path, name, last_opened_at) VALUES ('p', '/p', 'p', 1), ('q', '/q', 'q', 1)`,
  );
  onTestFinished(() => {
    sql.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { sql, store: createChangeStore(sql) };
}

test('a file of many is stored as one of a few is', () => {
  const { sql, store } = open();
  const moved = PathChange.parse({ ...change('b', null, 'new'), movedFrom: 'a' });
  const few = [change('a', 'old', null), moved, change('c', 'one', 'two')];
  const many = [...few, ...Array.from({ length: 20 }, (_, i) => change(`n${i}`, null, 'x'))];
  const rows = [few, many].map((changes) => {
    const { seq } = store.record('p', { author: user, label: 'Moved', changes });
    return sql.all(
      `SELECT position, project_id, path, moved_from, before_hash, before, after_hash, after FROM path_changes
       WHERE set_seq = ? AND position < 3 ORDER BY position`,
      seq,
    );
  });
  expect(rows[0]).toHaveLength(3);
  expect(rows[1]).toEqual(rows[0]);
});

test('entries come back as they were stored, newest first, by session, turn, call, path and page', () => {
  const { store } = open();
  const first = store.record('p', {
    author: agent('t1', 'c1'),
    label: 'Edited `a`',
    changes: [change('a', 'one', 'two'), change('b', null, 'new')],
    notCovered: ['node_modules/'],
    at: 5,
  });
  const second = store.record('p', { author: user, label: 'Saved', changes: [change('a', 'two', 'three')] });
  store.record('q', { author: user, label: 'Elsewhere', changes: [change('a', 'x', 'y')] });
  expect(store.get(first.id)).toEqual(first);
  expect(first).toMatchObject({ at: 5, undoneBy: null, notCovered: ['node_modules/'] });
  expect(store.list('p', {})).toEqual([second, first]);
  expect(store.list('p', { before: second.seq })).toEqual([first]);
  expect(store.list('p', { limit: 1 })).toEqual([second]);
  expect(store.list('p', { path: 'b' })).toEqual([first]);
  expect(store.list('p', { sessionId: 's', turnId: 't1', callId: 'c1' })).toEqual([first]);
  expect(store.list('p', { turnId: 't2' })).toEqual([]);
  store.markUndone(first.id, second.id);
  expect(store.get(first.id)?.undoneBy).toBe(second.id);
  store.markUndone(first.id, null);
  expect(store.get(first.id)?.undoneBy).toBeNull();
  expect(() => store.markUndone('none', null)).toThrow(expect.objectContaining({ code: 'not_found' }));
});

test('a path is followed through the log, and its newest state is found', () => {
  const { store } = open();
  const one = store.record('p', { author: agent('t', 'c'), label: '1', changes: [change('a', '1', '2')] });
  store.record('p', { author: user, label: '2', changes: [change('b', '1', '2')], isReviewed: true });
  store.record('p', { author: user, label: '3', changes: [change('a', '2', null), change('b', '2', '3')] });
  expect(store.chain('p', 'a').map(({ set, change: { after } }) => [set.label, after?.hash])).toEqual([
    ['1', hash('2')],
    ['3', undefined],
  ]);
  expect(store.chain('p', 'a', one.seq).map(({ set }) => set.label)).toEqual(['3']);
  expect(store.chain('p', 'b').map(({ isReviewed }) => isReviewed)).toEqual([true, false]);
  const last = store.lastOf('p', ['a', 'b', 'c']);
  expect([...last.keys()].sort()).toEqual(['a', 'b']);
  expect(last.get('a')?.change.after).toBeNull();
  expect(last.get('b')?.change.after?.hash).toBe(hash('3'));
});

test('what waits for review: changes of agents and commands that nobody saw, after what was accepted', () => {
  const { store } = open();
  store.record('p', {
    author: agent('t', 'c1'),
    label: 'seen',
    changes: [change('seen', '1', '2')],
    isReviewed: true,
  });
  const edit = store.record('p', { author: agent('t', 'c2'), label: 'e', changes: [change('a', '1', '2')] });
  store.record('p', { author: agent('u', 'c3', 'command'), label: 'c', changes: [change('b', '1', '2')] });
  store.record('p', { author: user, label: 'mine', changes: [change('mine', '1', '2')] });
  expect(store.unreviewed('p', {})).toEqual(['a', 'b']);
  expect(store.unreviewed('p', { turnId: 'u' })).toEqual(['b']);
  expect(store.unreviewed('p', { sessionId: 'other' })).toEqual([]);
  expect(store.reviewBase('p', 'a')).toBeNull();
  store.setReviewBase('p', { path: 'a', seq: edit.seq, hash: hash('2') });
  store.setReviewBase('p', { path: 'a', seq: edit.seq, hash: hash('accepted') });
  expect(store.reviewBase('p', 'a')).toEqual({ path: 'a', seq: edit.seq, hash: hash('accepted') });
  expect(store.unreviewed('p', {})).toEqual(['b']);
  expect(store.reviewHashes()).toEqual(new Set([hash('accepted'), hash('1'), hash('2')]));
});

test('contents that were collected are said not to be kept, and entries nobody can undo are dropped', () => {
  const { store } = open();
  const old = store.record('p', { author: user, label: '1', changes: [change('a', '1', '2')], at: 1 });
  store.record('p', { author: user, label: '2', changes: [change('a', '2', '3')], at: 2 });
  expect(store.liveHashes()).toEqual(new Set([hash('1'), hash('2'), hash('3')]));
  expect(store.hashesByAge()[0]).toBe(hash('1'));
  store.forgetContents([hash('1')]);
  expect(store.get(old.id)?.changes[0]?.before?.isKept).toBe(false);
  expect(store.get(old.id)?.changes[0]?.after?.isKept).toBe(true);
  expect(store.prune(1)).toBe(0);
  expect(store.prune(10)).toBe(1);
  expect(store.list('p', {}).map(({ label }) => label)).toEqual(['2']);
});

test('8,000 files of one entry are stored at once', () => {
  const { store } = open();
  const changes = Array.from({ length: 8000 }, (_, at) => change(`f/${at}`, 'a', 'b'));
  const started = performance.now();
  const set = store.record('p', { author: agent('t', 'c', 'command'), label: 'format', changes });
  console.log(`8,000 changes stored in ${(performance.now() - started).toFixed(1)} ms`);
  expect(store.get(set.id)?.changes).toHaveLength(8000);
});
