import { expect, test } from 'vitest';
import { UndoFacts } from '../../../shared/model/turn-event';
import { undoWords } from './undo-words';

const facts = (more: object): UndoFacts =>
  UndoFacts.parse({
    ...{ setId: 's1', cause: 'undo', targetTurnId: 't1', targetCallId: null, label: 'turn 3' },
    files: [{ path: 'a.ts', outcome: 'restored' }],
    ...more,
  });

test('an undo says what it took back and how many files that changed', () => {
  expect(undoWords(facts({}))).toBe('Undid turn 3: 1 file changed.');
  expect(undoWords(facts({ cause: 'redo', label: 'undid turn 3' }))).toBe(
    'Did again turn 3: 1 file changed.',
  );
  expect(undoWords(facts({ cause: 'restore', label: 'everything since turn 2' }))).toBe(
    'Took back everything since turn 2: 1 file changed.',
  );
  expect(undoWords(facts({ more: 4, conflicts: [{ id: 'k', path: 'b.ts' }] }))).toBe(
    'Undid turn 3: 5 files changed, 1 file in conflict.',
  );
  expect(undoWords(facts({ files: [], conflicts: [{ id: 'k', path: 'b.ts' }] }))).toBe(
    'Nothing of turn 3 could be taken back: 1 file in conflict.',
  );
});
