import { expect, test } from 'vitest';
import { ChangeSet } from '../../../shared/model/change';
import { authorSign, canCompare, entryAction, pathLetter, pathsWords } from './log-words';

const file = { kind: 'file', hash: '0'.repeat(64), mode: 0o644, sizeBytes: 1, isKept: true };
const entry = (more: object): ChangeSet =>
  ChangeSet.parse({
    ...{ id: 's1', seq: 1, at: 1, author: { kind: 'user' }, label: 'Saved', undoneBy: null },
    changes: [{ path: 'a.ts', before: file, after: file }],
    ...more,
  });

test('an entry is undone, what is undone is done again, and an undo is taken back by a redo', () => {
  expect(entryAction(entry({}))).toBe('undo');
  expect(entryAction(entry({ undoneBy: 's2' }))).toBe('redo');
  const author = { kind: 'undo', cause: 'undo', undoes: ['s0'] };
  expect(entryAction(entry({ author }))).toBe('redo');
  expect(entryAction(entry({ author, undoneBy: 's3' }))).toBeNull();
  expect(entryAction(entry({ author: { ...author, cause: 'redo' } }))).toBe('undo');
  expect(authorSign(entry({ author }).author).words).toBe('Undo');
});

test('each path has the letter of what happened to it', () => {
  const letters = [
    { path: 'a', before: null, after: file },
    { path: 'b', before: file, after: file },
    { path: 'c', before: file, after: null },
    { path: 'd', movedFrom: 'c', before: null, after: file },
  ];
  const { changes } = entry({ changes: letters });
  expect(changes.map(pathLetter)).toEqual(['A', 'M', 'D', 'R']);
  expect(changes.every(canCompare)).toBe(true);
  expect(pathsWords(entry({ changes: letters }))).toBe('4 files');
  expect(pathsWords(entry({}))).toBe('a.ts');
});

test('a side that is not kept, or no file, is not compared', () => {
  const sides = [
    { ...file, isKept: false },
    { ...file, kind: 'link' },
  ];
  const { changes } = entry({ changes: sides.map((before) => ({ path: 'a', before, after: file })) });
  expect(changes.some(canCompare)).toBe(false);
});
