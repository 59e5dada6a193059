import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { PendingApproval } from '../../shared/model/approval';
import type { FileDiff } from '../../shared/model/diff';
import type { TurnEvent, TurnEventPayload } from '../../shared/model/turn-event';
import { approvalText, parseChoice } from './approval-text';
import { plainText } from './plain-text';
import { jsonReporter, readableReporter } from './reporter';

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const events = (...payloads: TurnEventPayload[]): TurnEvent[] =>
  payloads.map((payload, i) => ({ ...payload, seq: i + 1, at: 1, sessionId: 's', turnId: 't' }) as TurnEvent);

const diff = (additions: number): FileDiff => ({
  path: 'a.ts',
  change: 'modify',
  additions,
  deletions: 1,
  hunks: [
    {
      oldStart: 1,
      oldLines: 2,
      newStart: 1,
      newLines: 2,
      lines: [
        { kind: 'context', text: 'same' },
        { kind: 'delete', text: 'one' },
        { kind: 'add', text: 'two' },
      ],
    },
  ],
  unified: '-one\n+two',
  truncated: false,
  beforeHash: null,
  afterHash: null,
});

const m = 'm' as never;
const c = 'c' as never;
const finished = (text: string): Extract<TurnEventPayload, { type: 'turn.finished' }> => ({
  type: 'turn.finished',
  reason: 'done',
  steps: 1,
  text,
  durationMs: 1,
});

async function read(...payloads: TurnEventPayload[]): Promise<{ out: string; err: string }> {
  const io = { stdout: new Sink(), stderr: new Sink() };
  events(...payloads).forEach(readableReporter(io));
  // What comes in the middle of a step is written in the next turn of the event loop.
  await new Promise(setImmediate);
  return { out: io.stdout.text, err: io.stderr.text };
}

test('the answer streams to standard output, labels and diffs go to standard error', async () => {
  const { out, err } = await read(
    { type: 'step.started', step: 1, maxSteps: 5, messageId: m },
    { type: 'text.delta', messageId: m, text: 'I will edit.' },
    { type: 'call.requested', callId: c, messageId: m, tool: 'edit_file', args: {}, label: 'Edit `a.ts`' },
    { type: 'diff', callId: c, diff: diff(1) },
    { type: 'call.state', callId: c, tool: 'edit_file', state: 'success', label: 'Edited `a.ts` +1 −1' },
    { type: 'step.started', step: 2, maxSteps: 5, messageId: m },
    { type: 'text.delta', messageId: m, text: 'Do' },
    { type: 'text.delta', messageId: m, text: 'ne.' },
    finished('Done.'),
  );
  expect(out).toBe('I will edit.\nDone.\n');
  expect(err.split('\n')).toEqual([
    '· Edit `a.ts`',
    '  a.ts (modify) +1 −1',
    '    - one',
    '    + two',
    '✓ Edited `a.ts` +1 −1',
    '',
  ]);
});

test('an answer that was not streamed is printed, one that was is not repeated', async () => {
  expect((await read(finished('By a tool.'))).out).toBe('By a tool.\n');
});

test('large diffs are a summary; failures and refusals say why', async () => {
  const { err } = await read(
    { type: 'diff', callId: c, diff: diff(20) },
    { type: 'call.state', callId: c, tool: 'run_command', state: 'denied', label: 'Run `x`', by: 'flag' },
    {
      type: 'call.state',
      callId: c,
      tool: 'run_command',
      state: 'success',
      label: 'Ran `x`',
      result: { text: '', exitCode: 3 },
    },
  );
  expect(err.split('\n')).toEqual([
    '  a.ts (modify) +20 −1',
    '⊘ Run `x` – denied (flag)',
    '✓ Ran `x` – exit 3',
    '',
  ]);
});

test('statements without evidence and the reason of a guard are told after the answer', async () => {
  const receipt = {
    version: 1 as const,
    ...{ files: [], commandsAfterLastEdit: [], commandsBefore: [], denied: [], openTodos: [] },
    claims: [
      { kind: 'checks' as const, text: 'All tests pass.', supported: false, reason: 'None ran.' },
      { kind: 'edited' as const, text: 'I fixed it.', supported: true, reason: '' },
    ],
  };
  const { err } = await read({ ...finished('All tests pass.'), receipt });
  expect(err).toBe('! No evidence for “All tests pass.”: None ran.\n');
  const stopped = await read({ ...finished(''), reason: 'repeated_calls', why: 'It went round.' });
  expect(stopped.err).toBe('Stopped: the model repeated the same calls. It went round.\n');
});

test('sec-C17: what a terminal would act on is shown, not done', async () => {
  expect(plainText('a\u001b[2Jb\r\nc\td\u202e\u{e0041}')).toBe('a\\u{1b}[2Jb\nc\td\\u{202e}\\u{e0041}');
  const { out } = await read({ type: 'text.delta', messageId: m, text: '\u001b]0;title\u0007' });
  expect(out).not.toContain('\u001b');
});

test('with --json each event is one line', () => {
  const stdout = new Sink();
  const list = events({ type: 'text.delta', messageId: m, text: 'a\nb' }, finished('x'));
  list.forEach(jsonReporter({ stdout }));
  expect(
    stdout.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(list);
});

const approval = (proposedRule: PendingApproval['proposedRule'], command: string): PendingApproval => ({
  id: 'a' as never,
  sessionId: 's' as never,
  turnId: 't' as never,
  callId: c,
  tool: 'run_command',
  title: 'Run a command?',
  asker: 'Agent',
  subject: { kind: 'command', command, cwd: '/p', parts: [], opaque: false },
  warnings: ['Deletes files'],
  danger: true,
  reason: 'No rule allows it.',
  proposedRule,
  digest: '',
  askedAt: 1,
  expiresAt: 2,
});

test('an approval shows the whole command, its folder and its warnings', () => {
  const command = `echo ${'x'.repeat(5000)}; rm -rf build`;
  const text = approvalText(approval(null, command));
  expect(text).toContain(command);
  expect(text).toContain('/p');
  expect(text).toContain('Deletes files');
});

test('session and always are answers only where a rule is offered; anything unclear is asked again', () => {
  const once = approval(null, 'x');
  const rule = approval({ action: 'run_command', resource: 'x', effect: 'allow' }, 'x');
  expect(['y', 'N', 's', 'a', '', 'ok'].map((typed) => parseChoice(once, typed))).toEqual([
    'allow_once',
    'deny',
    null,
    null,
    null,
    null,
  ]);
  expect([' S ', 'always'].map((typed) => parseChoice(rule, typed))).toEqual([
    'allow_session',
    'allow_always',
  ]);
});

test('output keeps its order over both streams, and is out before anything can be asked', async () => {
  const written: string[] = [];
  const stream = (name: string) =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written.push(`${name}:${chunk.toString().trim()}`);
        done();
      },
    });
  const report = readableReporter({ stdout: stream('out'), stderr: stream('err') });
  const requested = {
    type: 'call.requested',
    callId: c,
    messageId: m,
    tool: 'x',
    args: {},
    label: 'X',
  } as const;
  const [text, call, next] = events({ type: 'text.delta', messageId: m, text: 'Hi' }, requested, {
    type: 'nudge',
    kind: 'x',
    text: 'Careful.',
  });
  if (text === undefined || call === undefined || next === undefined) throw new Error('three events');
  report(text);
  expect(written).toEqual(['out:Hi']);
  report(call);
  expect(written).toEqual(['out:Hi']);
  report(next);
  expect(written).toEqual(['out:Hi', 'out:', 'err:· X\n  Careful.']);
  report(call);
  await new Promise(setImmediate);
  expect(written.at(-1)).toBe('err:· X');
});
