import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../../shared/error';
import { createProcessLedger } from '../../process/ledger';
import type { TaskPort, TaskReport } from '../../agent/task-port';
import type { MemoryPort } from '../../memory/memory-port';
import type { CallOutcome } from '../types';
import { startBench, type Bench } from '../testing/tool-bench';
import { searchFailure } from './lib/ripgrep';
import { createMemoryGet } from './memory-get';
import { createMemorySearch } from './memory-search';
import { createRunCommand } from './run-command';
import { createTaskCollect } from './task-collect';

const FOLDER = vi.hoisted(() => `${process.env['TMPDIR'] ?? '/tmp'}/failing-backend-${process.pid}`);
const RG = join(FOLDER, 'rg');

/** The program that the tools take for ripgrep is one of the test's own. */
vi.mock('@vscode/ripgrep', () => ({ rgPath: `${FOLDER}/rg` }));

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(FOLDER, { recursive: true, force: true });
});

function program(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** The call ended as a failure that says what to do, and is shown as one. */
function expectFailure(outcome: CallOutcome, message: RegExp): void {
  expect(outcome.state).toBe('error');
  expect(outcome.error?.message).toMatch(message);
  expect(outcome.error?.hint ?? '').not.toBe('');
  expect(outcome.modelText).toMatch(/^Error: /);
  expect(outcome.result).toBeUndefined();
}

const FILES = { 'a.ts': 'needle\n', 'b.ts': 'hay\n' };

const SEARCHES = [
  ['grep', { pattern: 'needle' }],
  ['glob', { pattern: '*.ts' }],
] as const;

const WAYS: readonly (readonly [string, string | null, RegExp])[] = [
  ['is missing', null, /rg could not be started/],
  ['ends with code 2 and a message', 'echo "rg: device is gone" >&2; exit 2', /device is gone/],
  ['ends with code 2 in silence', 'exit 2', /ended with code 2/],
  ['crashes with another code', 'echo "thread panicked" >&2; exit 101', /thread panicked/],
  ['is killed', 'kill -9 $$', /killed before it was done/],
  ['prints an error as if it were a result', 'echo "Internal error: try again"', /can’t be read/],
];

for (const [tool, args] of SEARCHES) {
  test.each(WAYS)(`fault-F38: ${tool} is a failure when ripgrep %s`, async (_name, script, message) => {
    if (script !== null) program(RG, script);
    const bench = await startBench({ files: FILES });
    expectFailure(await bench.call(tool, args), message);
  });
}

test('fault-F38: what was found before ripgrep failed is shown with the word that it is not all', async () => {
  const bench = await startBench({ files: FILES });
  program(RG, String.raw`printf './a.ts\0001:1:needle\n'; kill -9 $$`);
  expect(await bench.text('grep', { pattern: 'needle' })).toMatch(
    /needle[\s\S]*\(not searched: ripgrep was killed/,
  );
  program(RG, String.raw`printf './a.ts\000./b'; echo "rg: device is gone" >&2; exit 2`);
  expect(await bench.text('glob', { pattern: '*.ts' })).toBe('a.ts\n(there may be more: rg: device is gone)');
});

test('fault-F38: nothing found is still an answer', async () => {
  program(RG, 'exit 1');
  const bench = await startBench({ files: FILES });
  expect(await bench.text('grep', { pattern: 'none' })).toBe('0 matches');
  expect(await bench.text('glob', { pattern: '*.none' })).toBe('0 files match.');
});

test('fault-F38: a search that takes too long says how to make it shorter', () => {
  const failure = searchFailure(new AppError('timed_out', 'rg took longer than 60 s.'));
  expect(failure).toMatchObject({ code: 'timed_out', hint: expect.stringContaining('Narrow') as string });
});

const GITS: readonly (readonly [string, string, RegExp])[] = [
  ['ends with a message', 'echo "fatal: bad object HEAD" >&2; exit 128', /bad object HEAD/],
  ['ends in silence', 'exit 3', /ended with code 3/],
  ['is killed', 'kill -9 $$', /killed before it was done/],
  ['prints an error as if it were a log', 'echo "error: could not connect to the service"', /can’t be read/],
  ['prints fields that are none', String.raw`printf 'a\000b\000c\000d\000'`, /can’t be read/],
];

test.each(GITS)('fault-F38: git_log is a failure when git %s', async (_name, script, message) => {
  program(join(FOLDER, 'git'), script);
  vi.stubEnv('PATH', `${FOLDER}:/usr/bin:/bin`);
  const bench = await startBench({ files: FILES });
  expectFailure(await bench.call('git_log', {}), message);
});

test('fault-F38: git_log is a failure when git is missing', async () => {
  const bench = await startBench({ files: FILES });
  vi.stubEnv('PATH', bench.root);
  expectFailure(await bench.call('git_log', {}), /git was not found/);
});

async function commands(wrap?: string[]): Promise<Bench> {
  const home = mkdtempSync(join(tmpdir(), 'failing-backend-home-'));
  const ledger = createProcessLedger(home);
  onTestFinished(async () => {
    await ledger.killAll(0);
    rmSync(home, { recursive: true, force: true });
  });
  const shells = undefined;
  const confinement = {
    ensure: () => Promise.resolve(),
    wrapIn: () => (argv: string[]) => [...(wrap ?? []), ...argv],
    shells,
    removePlanted: () => Promise.resolve([]),
    hasEnded: () => Promise.resolve(false),
  };
  const run = createRunCommand({ ledger, confinement: () => Promise.resolve(confinement as never) });
  return await startBench({
    files: FILES,
    extraTools: [run],
    runner: { confinement: wrap === undefined ? 'off' : 'required' },
  });
}

test('fault-F38: run_command is a failure when its shell or sandbox can’t be started', async () => {
  const bench = await commands([join(FOLDER, 'no-such-sandbox')]);
  expectFailure(await bench.call('run_command', { command: 'echo hi' }), /could not be started/);
});

test('fault-F38: run_command is a failure when the command is killed or takes too long', async () => {
  const bench = await commands();
  const killed = await bench.call('run_command', { command: 'echo half; kill -9 $$' });
  expect(killed.state).toBe('error');
  expect(killed.modelText).toMatch(/half[\s\S]*\[killed by SIGKILL\]/);
  const late = await bench.call('run_command', { command: 'sleep 60', timeout_s: 1 });
  expect(late.state).toBe('error');
  expect(late.modelText).toMatch(
    /timed out after 1 s[\s\S]*Give timeout_s|Give timeout_s[\s\S]*timed out after 1 s/,
  );
});

test('fault-F38: list_dir is a failure for what is no folder or not there', async () => {
  const bench = await startBench({ files: FILES });
  expectFailure(await bench.call('list_dir', { path: 'a.ts' }), /a\.ts/);
  expectFailure(await bench.call('list_dir', { path: 'none' }), /none/);
});

test('fault-F38: the memory tools are failures when the memory can’t be read', async () => {
  const broken = (): never => {
    throw new AppError('store_corrupt', 'The file that holds sessions and settings is damaged.', {
      hint: 'Restart.',
    });
  };
  const memory: MemoryPort = {
    search: broken,
    get: broken,
    update: () => Promise.reject(new Error('no room')),
  };
  const bench = await startBench({ extraTools: [createMemorySearch(memory), createMemoryGet(memory)] });
  expectFailure(await bench.call('memory_search', { query: 'x' }), /is damaged/);
  expectFailure(await bench.call('memory_get', { path: 'MEMORY.md' }), /is damaged/);
});

test('fault-F38: task_collect is a failure when the subagent failed, and none while it runs or was stopped', async () => {
  const base = { taskId: 't', agent: 'explore', steps: 2, maxSteps: 9, tokens: 10, costMicros: 0 };
  const reports: Omit<TaskReport, keyof typeof base>[] = [
    { state: 'ended', reason: 'error', text: 'The key was refused. Check the key.' },
    { state: 'ended', reason: 'interrupted', text: '' },
    { state: 'running', text: '' },
    { state: 'ended', reason: 'stopped', text: 'half' },
    { state: 'ended', reason: 'done', text: 'all' },
  ];
  const collect = (): Promise<TaskReport> => Promise.resolve({ ...base, ...(reports.shift() as TaskReport) });
  const tasks: TaskPort = { collect, start: () => expect.unreachable() };
  const bench = await startBench({ extraTools: [createTaskCollect(tasks)] });
  const states = [];
  for (let left = reports.length; left > 0; left -= 1) {
    const outcome = await bench.call('task_collect', { task_id: 't' });
    states.push(outcome.state);
    if (left === 5) expect(outcome.modelText).toContain('Check the key.');
  }
  expect(states).toEqual(['error', 'error', 'success', 'success', 'success']);
});
