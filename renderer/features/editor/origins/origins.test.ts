import { expect, test } from 'vitest';
import { LineOrigin } from '../../../../shared/model/change';
import { lineEdits } from '../line-edits';
import { originRuns, runAt } from './origin-lines';
import { originSign, originWords, plainMarkdown } from './origin-words';

const set = (id: string, number: number | null) => ({
  ...{ id, at: 0, label: 'Edited `a.ts`' },
  author:
    number === null
      ? { kind: 'user' }
      : { kind: 'agent', sessionId: 's1', turnId: `t${number}`, callId: `c${number}` },
  turn:
    number === null
      ? null
      : { sessionId: 's1', sessionTitle: 'S', turnId: `t${number}`, number, request: 'Fix add', at: 0 },
});

const origins = [
  { startLine: 1, lines: 2, set: null },
  { startLine: 3, lines: 1, set: set('one', 1) },
  { startLine: 4, lines: 2, set: set('you', null) },
].map((origin) => LineOrigin.parse(origin));

const shape = (runs: ReturnType<typeof originRuns>) =>
  runs.map(({ startLine, lines, set: { id } }) => [startLine, lines, id]);

test('lines from before the log have no sign', () => {
  expect(shape(originRuns(origins))).toEqual([
    [3, 1, 'one'],
    [4, 2, 'you'],
  ]);
  expect(runAt(originRuns(origins), 5)?.set.id).toBe('you');
  expect(runAt(originRuns(origins), 1)).toBeNull();
});

test('lines that are not saved yet belong to nobody, and the others move along', () => {
  const edits = lineEdits('a\nb\nc\nd\ne', 'new\na\nb\nc\nd!\ne');
  expect(shape(originRuns(origins, edits))).toEqual([
    [4, 1, 'one'],
    [6, 1, 'you'],
  ]);
  expect(shape(originRuns(origins, lineEdits('a\nb\nc\nd\ne', 'a\nb\nd\nx\ne')))).toEqual([
    [3, 1, 'you'],
    [5, 1, 'you'],
  ]);
});

test('the words name the turn with its request, or what happened', () => {
  const [, agent, user] = origins;
  const at = (): string => '30 Nov 15:04';
  expect(agent?.set && originWords(agent.set, at)).toEqual({
    title: 'Turn 1: Fix add',
    by: 'The agent, 30 Nov 15:04',
  });
  expect(user?.set && originWords(user.set, at).title).toBe('Edited a.ts');
  expect(agent?.set && originSign(agent.set)).toEqual({ text: '1', kind: 'agent' });
});

test('a request in a hover is no markup', () => {
  expect(plainMarkdown('[x](command:y) <b>')).toBe(String.raw`\[x\]\(command:y\) \<b\>`);
});
