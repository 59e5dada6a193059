import { expect, test } from 'vitest';
import { ItemView } from '../../../shared/model/session-view';
import type { UndoFacts } from '../../../shared/model/turn-event';
import { editKey, lastRedoable, lastUndoable, undoIndex } from './undo-index';

const diff = (path: string) => ({
  reverted: false,
  diff: {
    ...{ path, change: 'modify', additions: 1, deletions: 1, hunks: [], unified: '', truncated: false },
    ...{ beforeHash: '0'.repeat(64), afterHash: '1'.repeat(64) },
  },
});

const step = (turnId: string, callId: string, paths: string[], more: object = {}): ItemView =>
  ItemView.parse({
    ...{ kind: 'step', key: `s-${callId}`, messageId: `m-${callId}`, turnId, step: 1, reasoning: '' },
    ...{ reasoningMs: null, text: '', status: 'calls', startedAt: 1, durationMs: 1 },
    calls: [
      {
        ...{ callId, tool: 'edit_file', label: 'Edited', args: {}, state: 'success', output: '' },
        ...{ outputCut: false, startedAt: 1, diffs: paths.map(diff), ...more },
      },
    ],
  });

let undos = 0;
const undo = (facts: Partial<Record<keyof UndoFacts, unknown>>): ItemView => {
  undos += 1;
  return ItemView.parse({
    ...{ kind: 'undo', key: `c${undos}`, turnId: 't9', at: 1 },
    undo: {
      ...{
        setId: `set${undos}`,
        cause: 'undo',
        targetTurnId: null,
        targetCallId: null,
        label: 'x',
        files: [],
      },
      ...facts,
    },
  });
};

const setOf = (item: ItemView): unknown => (item.kind === 'undo' ? item.undo.setId : null);
const restored = (...paths: string[]) => paths.map((path) => ({ path, outcome: 'restored' }));

test('a turn that changed files can be undone until it is, and then done again', () => {
  const items = [step('t1', 'c1', ['a.ts']), step('t2', 'c2', ['b.ts']), step('t3', 'c3', [])];
  expect(lastUndoable(items)).toBe('t2');
  const back = undo({ targetTurnId: 't2', files: restored('b.ts') });
  expect(lastUndoable([...items, back])).toBe('t1');
  expect(lastRedoable([...items, back])).toBe(back);
  const again = undo({ cause: 'redo', redoes: setOf(back), files: restored('b.ts') });
  const index = undoIndex([...items, back, again]);
  expect(index.takenBackBy.get(back.key)).toBe(again);
  expect(index.turns.size).toBe(0);
  expect(index.edits.size).toBe(0);
  expect(lastRedoable([...items, back, again])).toBeNull();
  expect(lastUndoable([...items, back, again])).toBe('t2');
  const more = undo({ targetTurnId: 't2', files: restored('b.ts') });
  expect(undoIndex([...items, back, again, more]).takenBackBy.get(again.key)).toBe(more);
});

test('undo of one call marks its files only, and a conflict marks nothing', () => {
  const items = [step('t1', 'c1', ['a.ts', 'b.ts']), step('t1', 'c2', ['a.ts'])];
  const back = undo({
    targetTurnId: 't1',
    targetCallId: 'c1',
    files: [...restored('a.ts'), { path: 'b.ts', outcome: 'conflict' }],
    conflicts: [{ id: 'k1', path: 'b.ts' }],
  });
  const { edits, calls, turns } = undoIndex([...items, back]);
  expect([...edits]).toEqual([editKey('c1', 'a.ts')]);
  expect([...calls.keys()]).toEqual(['c1']);
  expect(turns.size).toBe(0);
});

test('going back takes the turn and all after it; what happened since is not touched', () => {
  const items = [step('t1', 'c1', ['a.ts']), step('t2', 'c2', ['b.ts']), step('t3', 'c3', ['c.ts'])];
  const back = undo({ cause: 'restore', targetTurnId: 't2', files: restored('b.ts', 'c.ts') });
  const since = step('t4', 'c4', ['b.ts']);
  const { turns, edits } = undoIndex([...items, back, since]);
  expect([...turns.keys()]).toEqual(['t2', 't3']);
  expect([...edits]).toEqual([editKey('c2', 'b.ts'), editKey('c3', 'c.ts')]);
  const again = undo({ cause: 'redo', redoes: setOf(back), files: restored('b.ts', 'c.ts') });
  expect(undoIndex([...items, back, since, again]).turns.size).toBe(0);
});

test('files of one call are taken back and done again each by itself', () => {
  const items = [step('t1', 'c1', ['a.ts', 'b.ts'])];
  const target = { targetTurnId: 't1', targetCallId: 'c1' };
  const first = undo({ ...target, files: restored('a.ts') });
  const second = undo({ ...target, files: restored('b.ts') });
  const again = undo({ cause: 'redo', redoes: setOf(first), files: restored('a.ts') });
  const { edits, takenBackBy } = undoIndex([...items, first, second, again]);
  expect([...edits]).toEqual([editKey('c1', 'b.ts')]);
  expect(takenBackBy.has(first.key)).toBe(true);
  expect(takenBackBy.has(second.key)).toBe(false);
});

test('a conflict is resolved by what comes after it, not by what was resolved before', () => {
  const conflict = (id: string) => undo({ targetTurnId: 't1', conflicts: [{ id, path: 'a.ts' }] });
  const resolve = undo({ cause: 'resolve', files: [{ path: 'a.ts', outcome: 'merged' }] });
  const { resolved } = undoIndex([step('t1', 'c1', ['a.ts']), conflict('k1'), resolve, conflict('k2')]);
  expect([...resolved]).toEqual(['k1']);
});

test('an undo that wrote nothing leaves the turn as it was', () => {
  const items = [step('t1', 'c1', ['a.ts'])];
  const back = undo({ setId: null, targetTurnId: 't1', files: [{ path: 'a.ts', outcome: 'conflict' }] });
  expect(lastUndoable([...items, back])).toBe('t1');
  expect(lastRedoable([...items, back])).toBeNull();
});

test('a command counts by what it changed, also where no diff is shown', () => {
  const changed = { setId: 's', files: [{ path: 'gone.ts', change: 'delete' }], more: 0, notCovered: [] };
  expect(lastUndoable([step('t1', 'c1', [], { changed })])).toBe('t1');
  expect(lastUndoable([step('t1', 'c1', [], { changed: { ...changed, files: [] } })])).toBeNull();
});
