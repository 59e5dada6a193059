import { expect, test } from 'vitest';
import { cleanPaste, needsConfirmation, pastePreview } from './paste-text';

test('sec-G04: a paste can not close its own bracket', () => {
  expect(cleanPaste('a\u001b[201~\nrm x\n')).toBe('a[201~\nrm x\n');
  expect(cleanPaste('\u009b201~x\ttab\r\nend')).toBe('201~x\ttab\nend');
});

test('case-X01: several lines into a bare shell are asked about, one line or a bracketed paste is not', () => {
  expect(needsConfirmation('ls\nrm x', false)).toBe(true);
  expect(needsConfirmation('ls\n', false)).toBe(false);
  expect(needsConfirmation('ls\nrm x', true)).toBe(false);
});

test('a long paste is shown by its beginning', () => {
  expect(pastePreview('1\n2\n3', 2)).toBe('1\n2\n… 1 more lines');
});
