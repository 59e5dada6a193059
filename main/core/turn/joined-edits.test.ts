import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PendingApproval } from '../../../shared/model/approval';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { readRecording, writeRecording } from '../recording/recording-file';
import { replaySession } from '../recording/replay-session';
import { startCore, type StartCoreOptions, type TestCore } from '../testing/start-core';
import { reply, startBench } from '../tool/testing/tool-bench';

const edit = (path: string, old_string: string, new_string: string) => ({
  tool: 'edit_file',
  args: { path, old_string, new_string },
});
const THREE = [edit('a.txt', 'one', '1'), edit('./a.txt', '1\ntwo', '1\n2'), edit('a.txt', 'three', '3')];
const TEXT = 'one\ntwo\nx\ny\nz\nu\nv\nw\nthree\n';

type Call = ReturnType<typeof edit> | { tool: string; args: Record<string, unknown> };

async function start(calls: readonly Call[], options: Omit<StartCoreOptions, 'modelUrl'>) {
  const model = await startScriptedModel({ script: [{ calls: [...calls] }, 'Done.'] });
  const app = await startCore({ modelUrl: model.url, ...options });
  const asked: PendingApproval[] = [];
  app.core.approvals.onChange((pending) => {
    for (const approval of pending) if (!asked.some(({ id }) => id === approval.id)) asked.push(approval);
  });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  return { app, model, asked };
}

const results = (model: Awaited<ReturnType<typeof startScriptedModel>>) =>
  model.requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? [];

const hashesOf = (turn: Awaited<ReturnType<TestCore['turn']>>) =>
  turn.calls.map(({ diffs }) => [diffs[0]?.diff.beforeHash, diffs[0]?.diff.afterHash]);

test('H10: three edits of one file in one reply are one question and one write, with a diff and a result for each', async () => {
  const { app, model, asked } = await start(THREE, { files: { 'a.txt': TEXT }, approve: 'allow_once' });
  const turn = await app.turn('edit');
  expect(await app.read('a.txt')).toBe('1\n2\nx\ny\nz\nu\nv\nw\n3\n');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    title: 'Make 3 edits to one file?',
    callId: 'call_1',
    subject: { paths: ['a.txt'], diffs: [{ additions: 3, deletions: 3 }] },
  });
  expect(turn.calls.map(({ state, by }) => [state, by])).toEqual(Array(3).fill(['success', 'user']));
  expect(turn.calls.map(({ diffs }) => diffs[0]?.diff.additions)).toEqual([1, 1, 1]);
  const [first, second, third] = hashesOf(turn);
  expect([second?.[0], third?.[0]]).toEqual([first?.[1], second?.[1]]);
  expect(results(model).map(({ tool_call_id }) => tool_call_id)).toEqual(['call_1', 'call_2', 'call_3']);
  const order = turn.events.flatMap((event) =>
    event.type === 'call.state' ? `${event.callId} ${event.state}` : event.type === 'diff' ? 'diff' : [],
  );
  // All of them are in the journal before the first effect (faults 1.2).
  expect(order.slice(6, 9)).toEqual(['call_1 running', 'call_2 running', 'call_3 running']);
  expect(order.indexOf('diff')).toBe(9);
});

test('H10: joined edits are reverted one by one from the last; an earlier one is refused as stale until then', async () => {
  const { app } = await start(THREE, { files: { 'a.txt': TEXT }, approve: 'allow_once' });
  const { calls } = await app.turn('edit');
  const revert = async (index: number): Promise<string> => {
    const id = calls[index]?.callId;
    if (id === undefined) throw new Error('no such call');
    await app.core.revertEdit(app.session.id, id, 'a.txt');
    return await app.read('a.txt');
  };
  await expect(revert(0)).rejects.toMatchObject({ code: 'stale' });
  await expect(revert(1)).rejects.toMatchObject({ code: 'stale' });
  expect(await revert(2)).toBe('1\n2\nx\ny\nz\nu\nv\nw\nthree\n');
  expect(await revert(1)).toBe('1\ntwo\nx\ny\nz\nu\nv\nw\nthree\n');
  expect(await revert(0)).toBe(TEXT);
});

test('fault-F79: of three edits the one that does not match gets its error, the others go through', async () => {
  const calls = [edit('a.txt', 'one', '1'), edit('a.txt', 'missing', 'x'), edit('a.txt', 'three', '3')];
  const { app, model, asked } = await start(calls, { files: { 'a.txt': TEXT }, approve: 'allow_once' });
  const turn = await app.turn('edit');
  expect(await app.read('a.txt')).toBe(TEXT.replace('one', '1').replace('three', '3'));
  expect(asked.map(({ title }) => title)).toEqual(['Make 2 edits to one file?']);
  expect(turn.calls.map(({ state }) => state)).toEqual(['success', 'error', 'success']);
  expect(turn.calls[1]).toMatchObject({ error: { code: 'not_found' }, diffs: [] });
  const running = turn.events.flatMap((event) =>
    event.type === 'call.state' && event.state === 'running' ? event.callId : [],
  );
  expect(running).toEqual(['call_1', 'call_3']);
  expect(results(model).map(({ content }) => /^(Edited|Error)/.exec(String(content))?.[0])).toEqual([
    'Edited',
    'Error',
    'Edited',
  ]);
});

test('H10: when none of the edits matches nobody is asked', async () => {
  const calls = [edit('a.txt', 'p', '1'), edit('a.txt', 'q', '2')];
  const { app, asked } = await start(calls, { files: { 'a.txt': TEXT }, approve: 'allow_once' });
  const turn = await app.turn('edit');
  expect(turn.calls.map(({ state }) => state)).toEqual(['error', 'error']);
  expect(asked).toEqual([]);
});

test('H10, fault-F81: a refusal refuses all joined edits and skips what comes after them', async () => {
  const calls = [...THREE, { tool: 'write_file', args: { path: 'b.txt', content: 'b' } }];
  const { app, asked } = await start(calls, { files: { 'a.txt': TEXT }, approve: 'deny' });
  const turn = await app.turn('edit');
  expect(asked).toHaveLength(1);
  expect(turn.calls.map(({ state, by }) => [state, by])).toEqual([
    ...Array<[string, string]>(3).fill(['denied', 'user']),
    ['cancelled', undefined],
  ]);
  expect(await app.read('a.txt')).toBe(TEXT);
});

test('H10: only edits of the same file next to each other are joined', async () => {
  const calls = [
    edit('a.txt', 'one', '1'),
    { tool: 'write_file', args: { path: 'b.txt', content: 'b' } },
    edit('a.txt', 'two', '2'),
    edit('c.txt', 'c', 'C'),
  ];
  const files = { 'a.txt': TEXT, 'c.txt': 'c' };
  const { app, asked } = await start(calls, { files, approve: 'allow_once' });
  const turn = await app.turn('edit');
  expect(turn.calls.map(({ state }) => state)).toEqual(Array(4).fill('success'));
  expect(asked.map(({ title, subject }) => [title, subject.kind === 'write' ? subject.paths : []])).toEqual([
    ['Change a file?', ['a.txt']],
    ['Create a file?', ['b.txt']],
    ['Change a file?', ['a.txt']],
    ['Change a file?', ['c.txt']],
  ]);
});

test('case-E04: joined edits keep line endings and the byte order mark', async () => {
  const calls = [edit('a.txt', 'one\ntwo', '1\n2\n2b'), edit('a.txt', '2b\nthree', '2b\n3')];
  const { app, asked } = await start(calls, {
    files: { 'a.txt': '\ufeffone\r\ntwo\r\nthree\r\n' },
    approve: 'allow_once',
  });
  await app.turn('edit');
  expect(asked).toHaveLength(1);
  expect(await app.read('a.txt')).toBe('\ufeff1\r\n2\r\n2b\r\n3\r\n');
});

test('H10: an edit that creates a file and one that goes on from it are one creation', async () => {
  const calls = [edit('new.txt', '', 'a\nb\n'), edit('new.txt', 'b', 'B')];
  const { app, asked } = await start(calls, { approve: 'allow_once' });
  const turn = await app.turn('make it');
  expect(await app.read('new.txt')).toBe('a\nB\n');
  expect(asked[0]?.subject).toMatchObject({ diffs: [{ change: 'create', additions: 2 }] });
  expect(turn.calls.map(({ diffs }) => diffs[0]?.diff.change)).toEqual(['create', 'modify']);
});

test('sec-B15: a file that changes while joined edits wait is asked about again, whole', async () => {
  const { app, asked } = await start(THREE, { files: { 'a.txt': TEXT } });
  app.core.approvals.onChange((pending) => {
    for (const { id } of pending) {
      void (async () => {
        if (asked.length === 1) await writeFile(join(app.project, 'a.txt'), `zero\n${TEXT}`);
        app.core.approvals.reply(id, 'allow_once', 'user');
      })();
    }
  });
  const turn = await app.turn('edit');
  expect(asked).toHaveLength(2);
  expect(asked[1]?.warnings[0]).toContain('changed since you were asked');
  expect(turn.calls.map(({ state }) => state)).toEqual(Array(3).fill('success'));
  expect(await app.read('a.txt')).toBe('zero\n1\n2\nx\ny\nz\nu\nv\nw\n3\n');
});

test('H11: stop while joined edits wait for an answer cancels all of them', async () => {
  const { app } = await start(THREE, { files: { 'a.txt': TEXT } });
  app.core.approvals.onChange((pending) => {
    if (pending.length > 0) void app.core.turns.stop(app.session.id);
  });
  const turn = await app.turn('edit');
  expect(turn.calls.map(({ state }) => state)).toEqual(Array(3).fill('cancelled'));
  expect(await app.read('a.txt')).toBe(TEXT);
});

test('faults 1.2: after a crash between journal and write each joined edit is "effect unknown" and none is run again', async () => {
  const { app, model } = await start(THREE, { files: { 'a.txt': TEXT }, approve: 'allow_once' });
  const home = await mkdtemp(join(tmpdir(), 'lathe-crashed-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  // What a killed process leaves: store and file as they are in the moment when all three are told as running.
  let left = '';
  app.core.subscribe(app.session.id, (event) => {
    if (event.type !== 'call.state' || event.callId !== 'call_3' || event.state !== 'running') return;
    cpSync(app.home, home, { recursive: true });
    left = readFileSync(join(app.project, 'a.txt'), 'utf8');
  });
  await app.turn('edit');
  expect(left).toBe(TEXT);
  await writeFile(join(app.project, 'a.txt'), TEXT);
  const again = await startCore({ modelUrl: model.url, home, project: app.project });
  onTestFinished(() => again.close());
  model.push('Looked.');
  const turn = await again.turn('what happened?');
  const edits = turn.calls.slice(0, 3);
  expect(edits.map(({ state, error }) => [state, error?.message])).toEqual(
    Array(3).fill(['error', expect.stringContaining('effect is unknown')]),
  );
  expect(await again.read('a.txt')).toBe(TEXT);
  const told = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
  expect(told?.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_1', 'call_2', 'call_3']);
});

test('H10: joined edits replay from their recording as they went', async () => {
  const { app } = await start(THREE, { files: { 'a.txt': TEXT }, approve: 'allow_once' });
  await app.turn('edit');
  const recording = await writeRecording(app.core.store, app.session.id, 'test');
  const result = await replaySession(readRecording(recording));
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
});

test('H10: joined edits write the file once, and without a person they are planned anew on a file that changed', async () => {
  const writes: string[] = [];
  const bench = await startBench({ files: { 'a.txt': TEXT } });
  const late = await startBench({
    runner: {
      projectRoot: bench.root,
      files: {
        ...bench.files,
        writeBytes: async (path, bytes, conditions) => {
          if (writes.length === 0) await writeFile(join(bench.root, 'a.txt'), `zero\n${TEXT}`);
          writes.push(path);
          return await bench.files.writeBytes(path, bytes, conditions);
        },
      },
    },
  });
  const calls = THREE.map(({ tool, args }) => ({
    call: reply(tool, args),
    environment: late.environment,
  }));
  const outcomes = await late.runner.runTogether(calls);
  expect(outcomes.map(({ state }) => state)).toEqual(Array(3).fill('success'));
  // The first was refused as stale, the second is the write.
  expect(writes).toEqual(['a.txt', 'a.txt']);
  expect(await bench.content('a.txt')).toBe('zero\n1\n2\nx\ny\nz\nu\nv\nw\n3\n');
});
