import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { ApprovalAnswer, Rule } from '../../../shared/model/approval';
import { withinTick } from '../testing/within-tick';
import { defineTool } from './define';
import { decision, reply, startBench } from './testing/tool-bench';
import type { ToolDefinition } from './types';

const tool = (over: Partial<ToolDefinition>): ToolDefinition => ({
  ...defineTool({
    name: 'probe',
    effect: 'read',
    describe: 'x',
    input: z.object({ n: z.int().optional(), flag: z.boolean().optional(), name: z.string().optional() }),
    modes: ['agent'],
    subject: () => ({ paths: [] }),
    label: ({ n }) => `Probe ${n ?? '-'}`,
    run: (args) => Promise.resolve({ text: JSON.stringify(args) }),
  }),
  ...over,
});

test('a read runs through validating, running and success, and its label and text are recorded', async () => {
  const bench = await startBench({ files: { 'a.txt': 'one\n' } });
  const outcome = await bench.call('read_file', { path: 'a.txt' });
  expect(bench.states()).toEqual(['validating', 'running', 'success']);
  expect(outcome).toMatchObject({
    state: 'success',
    by: 'policy',
    modelText: '1| one\n(end of file, 1 line)',
  });
  expect(bench.events.at(-1)).toMatchObject({ type: 'call.state', result: { text: outcome.modelText } });
});

test('a call has not ended before what it wrote is durable', async () => {
  const synced = Promise.withResolvers<void>();
  const bench = await startBench({
    extraTools: [tool({ run: () => Promise.resolve({ text: 'x', durable: synced.promise }) })],
  });
  const running = bench.call('probe', {});
  await vi.waitFor(() => expect(bench.states()).toEqual(['validating', 'running']));
  expect(await withinTick(running)).toBe('later');
  expect(bench.states()).toEqual(['validating', 'running']);
  synced.resolve();
  expect(await running).toMatchObject({ state: 'success' });
  expect(bench.states().at(-1)).toBe('success');
});

test('the journal says "running" before the effect, and a journal that fails prevents the effect', async () => {
  const order: string[] = [];
  const probe = tool({
    run: () => {
      order.push('effect');
      return Promise.resolve({ text: 'x' });
    },
  });
  const good = await startBench({
    extraTools: [probe],
    onEvent: (event) => {
      if (event.type === 'call.state') order.push(event.state);
    },
  });
  await good.call('probe', {});
  expect(order).toEqual(['validating', 'running', 'effect', 'success']);

  order.length = 0;
  const bad = await startBench({
    extraTools: [probe],
    onEvent: (event) => {
      if (event.type === 'call.state' && event.state === 'running') throw new Error('disk is gone');
    },
  });
  expect(await bad.call('probe', {})).toMatchObject({ state: 'error', error: { message: 'disk is gone' } });
  expect(order).toEqual([]);
});

test('an approved write shows its diff before, carries the digest, and emits the diff after', async () => {
  const bench = await startBench({ files: { 'a.txt': 'one\n' }, verdict: () => 'ask' });
  const outcome = await bench.call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(outcome).toMatchObject({ state: 'success', by: 'user' });
  expect(bench.states()).toEqual(['validating', 'awaiting_approval', 'running', 'success']);
  expect(bench.events.map((event) => event.type)).toEqual([
    'call.state',
    'call.state',
    'approval.asked',
    'approval.replied',
    'call.state',
    'diff',
    'call.state',
  ]);
  expect(bench.asked[0]).toMatchObject({
    title: 'Change a file?',
    subject: { kind: 'write', paths: ['a.txt'] },
  });
  expect(bench.asked[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(bench.asked[0]?.expiresAt).toBe((bench.asked[0]?.askedAt ?? 0) + 300_000);
  expect(bench.events.at(-1)).toMatchObject({ label: 'Edited `a.txt` +1 −1' });
});

test('a denied write leaves the file as it was and tells the model who refused', async () => {
  const bench = await startBench({ files: { 'a.txt': 'one' }, verdict: () => 'ask', answer: () => 'deny' });
  const outcome = await bench.call('write_file', { path: 'a.txt', content: 'two' });
  expect(outcome).toMatchObject({ state: 'denied', by: 'user', error: { code: 'not_approved' } });
  expect(outcome.modelText).toContain('The user denied');
  expect(await bench.content('a.txt')).toBe('one');
});

test('what a call took leaves out how long a person thought about it', async () => {
  let now = 1000;
  const bench = await startBench({
    files: { 'a.txt': 'one\n' },
    verdict: () => 'ask',
    answer: () => {
      now += 60_000;
      return 'allow_once';
    },
    runner: { clock: () => now },
  });
  await bench.call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(bench.events.at(-1)).toMatchObject({ state: 'success', durationMs: 0 });
});

test('a denial by rule asks nobody', async () => {
  const bench = await startBench({ files: { 'a.txt': 'one' }, verdict: () => 'deny' });
  expect(await bench.call('read_file', { path: 'a.txt' })).toMatchObject({ state: 'denied', by: 'policy' });
  expect(bench.asked).toEqual([]);
  expect(bench.states()).toEqual(['validating', 'denied']);
});

test('sec-B03: rules are asked about the path as written and the real one', async () => {
  const seen: string[][] = [];
  const bench = await startBench({
    files: { 'secrets/key': 'k' },
    verdict: ({ subject }) => {
      seen.push(subject.paths);
      return subject.paths.some((name) => name.startsWith('secrets/')) ? 'deny' : 'allow';
    },
  });
  await symlink('secrets/key', path.join(bench.root, 'ok.txt'));
  expect(await bench.call('read_file', { path: './ok.txt' })).toMatchObject({ state: 'denied' });
  expect(seen).toEqual([['ok.txt', 'secrets/key']]);
});

test('sec-B03: grep leaves out files that a rule denies', async () => {
  const rule = { action: 'read_file', resource: 'secrets/**', effect: 'deny' as const };
  const bench = await startBench({
    files: { 'secrets/key': 'token\n', 'a.txt': 'token\n' },
    verdict: ({ subject }) => (subject.paths.some((name) => name.startsWith('secrets/')) ? 'deny' : 'allow'),
    runner: { rules: () => [{ rule, from: 'file', id: '1' }] },
  });
  const text = await bench.text('grep', { pattern: 'token' });
  expect(text).toContain('a.txt');
  expect(text).not.toContain('secrets');
});

test('sec-B15: a file that changes while its diff waits is asked about again with a fresh diff', async () => {
  let changes = 0;
  const bench = await startBench({
    files: { 'a.txt': 'one\nx\n' },
    verdict: () => 'ask',
    answer: async (): Promise<ApprovalAnswer> => {
      changes += 1;
      if (changes === 1) await writeFile(path.join(bench.root, 'a.txt'), 'one\ny\n');
      return 'allow_once';
    },
  });
  const outcome = await bench.call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(outcome.state).toBe('success');
  expect(bench.asked).toHaveLength(2);
  expect(bench.asked[0]?.id).not.toBe(bench.asked[1]?.id);
  expect(bench.asked[1]?.warnings[0]).toContain('changed since you were asked');
  expect(bench.asked[1]?.subject).toMatchObject({
    diffs: [{ unified: expect.stringContaining(' y') as string }],
  });
  expect(await bench.content('a.txt')).toBe('two\ny\n');
});

test('sec-B15: a file that never stops changing ends as stale, unwritten', async () => {
  let round = 0;
  const bench = await startBench({
    files: { 'a.txt': 'one\n' },
    verdict: () => 'ask',
    answer: async (): Promise<ApprovalAnswer> => {
      round += 1;
      await writeFile(path.join(bench.root, 'a.txt'), `one\n${round}\n`);
      return 'allow_once';
    },
  });
  const outcome = await bench.call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'stale' } });
  expect(bench.asked).toHaveLength(3);
  expect(await bench.content('a.txt')).toBe('one\n3\n');
});

test('an answer for the session or for ever becomes the rule that was on offer', async () => {
  const granted: unknown[] = [];
  const rule: Rule = { action: 'write_file', resource: 'src/**', effect: 'allow' };
  const bench = await startBench({
    answer: () => 'allow_session',
    runner: {
      decide: () => ({ ...decision('ask'), proposedRule: rule }),
      onGrant: (...args) => void granted.push(args),
    },
  });
  await bench.call('write_file', { path: 'a', content: 'x' });
  expect(granted).toEqual([[rule, 'session', 's1']]);
  const opaque = await startBench({
    answer: () => 'allow_always',
    runner: {
      decide: () => ({ ...decision('ask'), proposedRule: rule, opaque: true }),
      onGrant: (...args) => void granted.push(args),
    },
  });
  expect(await opaque.call('write_file', { path: 'a', content: 'x' })).toMatchObject({ state: 'success' });
  expect(granted).toHaveLength(1);
});

test('P5: a tool that the mode forbids is refused although it was called', async () => {
  const bench = await startBench({ mode: 'plan' });
  const outcome = await bench.call('write_file', { path: 'a', content: 'x' });
  expect(outcome).toMatchObject({ state: 'denied', by: 'mode', error: { code: 'mode_forbids' } });
  expect(bench.registry.specsFor('plan').map((spec) => spec.name)).not.toContain('write_file');
});

test('fault-F73: an unknown tool gets close names', async () => {
  const bench = await startBench();
  const outcome = await bench.call('readfile', {});
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'bad_argument' } });
  expect(outcome.modelText).toContain('read_file');
  expect(await bench.call('', {})).toMatchObject({ state: 'error' });
  expect(await bench.call('__proto__', {})).toMatchObject({ state: 'error' });
});

test('fault-F70, F72, F74: harmless slips in arguments are repaired, others name the field', async () => {
  const bench = await startBench({ extraTools: [tool({})] });
  expect(await bench.text('probe', { n: '5', flag: 'true', name: null, more: 1 })).toBe(
    '{"n":5,"flag":true}',
  );
  expect(await bench.text('probe', '{"n":3}')).toBe('{"n":3}');
  expect(await bench.text('probe', null)).toBe('{}');
  expect((await bench.call('probe', { n: 'five' })).modelText).toContain('`n`');
  expect((await bench.call('read_file', { path: 5 })).modelText).toContain('`path`: expected string');
});

test('fault-F75: a Windows path reaches the tool unchanged', async () => {
  const bench = await startBench({ extraTools: [tool({})] });
  expect(await bench.text('probe', { name: 'C:\\Users\\unicorn' })).toBe('{"name":"C:\\\\Users\\\\unicorn"}');
});

test('fault-F71: arguments that do not parse are sent back with the reason', async () => {
  const bench = await startBench();
  const call = {
    ...reply('read_file', {}),
    args: { ok: false as const, reason: 'invalid_json' as const, message: 'at 3' },
  };
  const outcome = await bench.runner.run(call, bench.environment);
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'bad_argument' } });
  expect(outcome.modelText).toContain('at 3');
});

test('H13: a result that is still too long is cut with a statement', async () => {
  const bench = await startBench({
    extraTools: [tool({ run: () => Promise.resolve({ text: 'x'.repeat(50_000) }) })],
  });
  const outcome = await bench.call('probe', {});
  expect(outcome.modelText.length).toBeLessThanOrEqual(16_000);
  expect(outcome.modelText).toMatch(/\[\d+ characters were cut here/);
  expect(outcome.result?.cutChars).toBeGreaterThan(34_000);
});

test('H11: 200 ms after Stop a call has ended, even one that does not listen', async () => {
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (begun = resolve));
  const deaf = tool({
    run: () => {
      begun();
      return new Promise(() => undefined);
    },
  });
  const bench = await startBench({ extraTools: [deaf] });
  const running = bench.call('probe', {});
  await started;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  bench.stop.abort();
  vi.advanceTimersByTime(200);
  expect(await withinTick(running)).toMatchObject({ state: 'cancelled', by: 'stop' });
  expect(await bench.call('probe', {})).toMatchObject({ state: 'cancelled' });
});

test('a stop while an approval waits cancels the call', async () => {
  const bench = await startBench({
    verdict: () => 'ask',
    answer: () => {
      bench.stop.abort();
      return 'allow_once';
    },
  });
  expect(await bench.call('write_file', { path: 'a', content: 'x' })).toMatchObject({ state: 'cancelled' });
  expect(await bench.files.hashOf('a')).toBeNull();
});

test('case-E22, F79: parallel edits of one file all arrive; a failing one does not take the others along', async () => {
  const bench = await startBench({ files: { 'a.txt': 'one\ntwo\nthree\n' } });
  await symlink('a.txt', path.join(bench.root, 'alias.txt'));
  const edit = (name: string, old: string): Promise<{ state: string }> =>
    bench.call('edit_file', { path: name, old_string: old, new_string: old.toUpperCase() });
  const ends = await Promise.all([
    edit('a.txt', 'one'),
    edit('alias.txt', 'two'),
    edit('a.txt', 'nope'),
    edit('a.txt', 'three'),
  ]);
  expect(ends.map((end) => end.state)).toEqual(['success', 'success', 'error', 'success']);
  expect(await bench.content('a.txt')).toBe('ONE\nTWO\nTHREE\n');
});

test('streamed output is written down in order before the call ends', async () => {
  const bench = await startBench({
    extraTools: [
      tool({
        run: (_args, context) => {
          context.output('stdout', 'a');
          context.output('stderr', 'b');
          return Promise.resolve({ text: 'done', exitCode: 0 });
        },
      }),
    ],
  });
  await bench.call('probe', {});
  expect(bench.events.slice(-3)).toMatchObject([
    { type: 'call.output', stream: 'stdout', text: 'a' },
    { type: 'call.output', stream: 'stderr', text: 'b' },
    { type: 'call.state', state: 'success', result: { exitCode: 0 } },
  ]);
});

test('labels never throw, and effects are known by name', async () => {
  const bench = await startBench();
  expect(bench.runner.labelOf('grep', { pattern: 'foo', glob: '*.ts' })).toBe('Grepped `foo` in `*.ts`');
  expect(bench.runner.labelOf('git_log', { path: 'src/' })).toBe('Git log `src/`');
  expect(bench.runner.labelOf('grep', 7)).toBe('Called `grep`');
  expect(bench.runner.labelOf('nope', undefined)).toBe('Called `nope`');
  expect([
    bench.runner.effectOf('grep'),
    bench.runner.effectOf('edit_file'),
    bench.runner.effectOf('nope'),
  ]).toEqual(['read', 'write', null]);
});

test('the specs are small, in a fixed order, and the same value every time', async () => {
  const bench = await startBench();
  const specs = bench.registry.specsFor('agent');
  expect(bench.registry.specsFor('agent')).toBe(specs);
  expect(specs.map((spec) => spec.name)).toEqual([
    'read_file',
    'list_dir',
    'glob',
    'grep',
    'edit_file',
    'write_file',
    'git_log',
    'todo',
    'ask_user',
    'attempt_completion',
  ]);
  // Ten of the eleven tools; run_command has the rest of the 7 KB.
  expect(JSON.stringify(specs).length).toBeLessThan(6000);
  expect(specs.every((spec) => spec.parameters['type'] === 'object')).toBe(true);
});
