import { expect, test } from 'vitest';
import { ConflictId } from '../../../../shared/model/change';
import { Sha256 } from '../../../../shared/model/ids';
import { closeDraft, draftOf, keepDraft } from './conflict-drafts';

const hash = (digit: string) => Sha256.parse(digit.repeat(64));
const draft = { text: 'mine\n', added: false, places: [{ line: 1, lines: 1 }], choices: ['mine' as const] };

test('a draft is there again for the same sides, and for no others', () => {
  const conflict = { id: ConflictId.parse('c1'), currentHash: hash('a') };
  expect(draftOf(conflict)).toBeNull();
  keepDraft(conflict, draft);
  expect(draftOf(conflict)).toMatchObject(draft);
  expect(draftOf({ ...conflict, currentHash: hash('b') })).toBeNull();
  expect(draftOf({ ...conflict, id: ConflictId.parse('c2') })).toBeNull();
});

test('a conflict that is resolved keeps nothing, also when its page closes after that', () => {
  const conflict = { id: ConflictId.parse('c3'), currentHash: null };
  keepDraft(conflict, draft);
  closeDraft(conflict.id);
  keepDraft(conflict, draft);
  expect(draftOf(conflict)).toBeNull();
});
