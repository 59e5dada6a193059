import { expect, test } from 'vitest';
import type { Receipt } from '../../../shared/model/receipt';
import { receiptParts, staleWords } from './receipt-words';

const EMPTY: Receipt = {
  version: 1,
  ...{ files: [], commandsAfterLastEdit: [], commandsBefore: [], denied: [], openTodos: [], claims: [] },
};
const file = (path: string) => ({
  ...{ path, change: 'modify' as const, additions: 2, deletions: 1, afterHash: null },
});
const command = (line: string, exitCode: number | null) => ({
  ...{ callId: line as never, command: line, exitCode, checks: [], exitTells: true },
  outcome: exitCode === 0 ? ('ended' as const) : ('failed' as const),
});
const texts = (changes: Partial<Receipt>) =>
  receiptParts({ ...EMPTY, ...changes }).map(({ text, tone }) => `${tone}: ${text}`);

test('the folded receipt says what changed, what ran after it and what is in doubt', () => {
  expect(texts({ files: [file('src/a.ts')], commandsAfterLastEdit: [command('npm test', 0)] })).toEqual([
    'plain: `a.ts` changed +2 −1',
    'ok: `npm test` exit 0',
  ]);
  expect(texts({ files: [file('a'), file('b')] })).toEqual([
    'plain: 2 files changed +4 −2',
    'warn: nothing run after the last edit',
  ]);
  expect(texts({ commandsAfterLastEdit: [command('a', 0), command('b', 1)] })).toEqual([
    'err: 2 commands run, 1 failed',
  ]);
  expect(texts({ commandsBefore: [command('a', 0)] })).toEqual(['plain: 1 command run']);
  expect(texts({})).toEqual(['plain: nothing was changed and nothing run']);
  expect(texts({ denied: [{ callId: 'c' as never, tool: 'x', label: 'X', by: 'user' }] })).toEqual([
    'warn: 1 denied',
  ]);
});

test('a stale receipt names what changed', () => {
  expect(staleWords(['src/a.ts'])).toBe('Stale: a.ts changed since.');
  expect(staleWords(['a', 'b', 'c'])).toBe('Stale: a, b and 1 more changed since.');
});
