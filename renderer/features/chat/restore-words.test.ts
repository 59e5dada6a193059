import { expect, test } from 'vitest';
import { UndoResult } from '../../../shared/model/change';
import { filesWords, startingChoice } from './restore-words';

const preview = (...outcomes: string[]): UndoResult =>
  UndoResult.parse({
    setId: null,
    files: outcomes.map((outcome, i) => ({ path: `f${i}.ts`, outcome })),
    conflicts: [],
    cannot: [],
  });

test('where no file was changed only the chat goes back', () => {
  expect(startingChoice(null)).toBe('both');
  expect(startingChoice(preview('restored'))).toBe('both');
  expect(startingChoice(preview())).toBe('chat');
});

test('the words say that later changes stay, and count the files in conflict', () => {
  expect(filesWords(preview())).toBe('The agent has changed no files since.');
  expect(filesWords(preview('restored'))).toBe('Your own later changes stay.');
  expect(filesWords(preview('restored', 'conflict'))).toContain(
    'One file has later changes in the same lines',
  );
});
