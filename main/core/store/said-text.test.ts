import { expect, test } from 'vitest';
import { reminderMessage } from '../turn/guard/reminder';
import { userMessageText } from '../turn/prompt/build-prompt';
import { saidText } from './said-text';

test('what the harness put beside the words of the user is not theirs', () => {
  const rules = '<system-reminder>\nUse tabs.\n</system-reminder>';
  const text = 'fix\n\nthis';
  expect(saidText(userMessageText(text, { mentions: ['a.ts'], openFiles: ['b.ts'], rules }))).toBe(text);
  expect(saidText(userMessageText(text, { mentions: [], openFiles: [], rules }))).toBe(text);
  expect(saidText(userMessageText(text, { mentions: [], openFiles: [] }))).toBe(text);
  expect(saidText(reminderMessage('Look first.').content)).toBe('');
  expect(saidText('what does <context> mean?\n\n<context>\nnothing')).toBe(
    'what does <context> mean?\n\n<context>\nnothing',
  );
});
