import { expect, test } from 'vitest';
import { terminalText } from './terminal-text';

test('sec-G05: every kind of escape sequence is removed and the text around it survives', () => {
  const sequences = [
    '\x1b[31m',
    '\x1b[2J',
    '\x9b1m',
    '\x1b]0;title\x07',
    '\x1b]8;;https://x\x1b\\',
    '\x1bPdata\x1b\\',
    '\x1b_apc\x1b\\',
    '\x1b^pm\x1b\\',
    '\x1bXsos\x1b\\',
    '\x1bc',
    '\x1b(B',
    '\x07',
  ];
  for (const sequence of sequences) expect(terminalText(`a${sequence}b`)).toBe('ab');
});

test('an unterminated string ends with its line', () => {
  expect(terminalText('a\x1b]0;title\nb')).toBe('a\nb');
});

test('a progress bar leaves its last state', () => {
  expect(terminalText('10 %\r50 %\r100 %\ndone\r\n')).toBe('100 %\ndone\n');
  expect(terminalText('ab\bc')).toBe('ac');
});
