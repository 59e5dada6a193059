import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '../../../../shared/error';
import { createProcessLedger } from '../../process/ledger';
import { markedProcesses } from '../../process/marks';
import { openWorkspaceFiles } from '../../workspace/workspace-files';
import type { ToolContext } from '../types';
import { timeLimitSeconds } from './lib/command-arguments';
import { createRunCommand } from './run-command';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-tool-')));
const project = join(base, 'project');
mkdirSync(join(project, 'sub'), { recursive: true });
const ledger = createProcessLedger(base);
const files = await openWorkspaceFiles(project);
const tool = createRunCommand({ ledger, confinement: () => Promise.resolve(null) });

afterAll(() => ledger.killAll(0));

function context(change: Partial<ToolContext> = {}): ToolContext {
  return {
    sessionId: 's',
    turnId: 't',
    callId: 'call',
    projectRoot: project,
    outputDir: join(base, 'out'),
    signal: new AbortController().signal,
    files,
    ledger: { seen: () => undefined, note: () => undefined },
    todos: { read: () => [], replace: () => Promise.resolve() },
    plans: { read: () => [], write: () => Promise.resolve() },
    confinement: 'off',
    ask: () => Promise.resolve(null),
    subagent: () => Promise.resolve(),
    output: () => undefined,
    ...change,
  };
}

async function call(args: Parameters<typeof tool.run>[0], change: Partial<ToolContext> = {}) {
  const world = context(change);
  const prepared = (await tool.prepare?.(args, world)) ?? null;
  return tool.run(args, world, prepared);
}

test('output, exit code and time are told; the model gets no time, so that a replay is the same', async () => {
  const result = await call({ command: 'echo one; echo two >&2; exit 3' });
  expect(result.text.split('\n').sort()).toEqual(['[exit 3]', 'one', 'two']);
  expect(result).toMatchObject({ exitCode: 3 });
  expect(result.label).toMatch(/^Ran `echo one; echo two >&2; exit 3` · exit 3 · \d+\.\d s$/);
});

test('case-S07: silence is said', async () => {
  expect((await call({ command: 'true' })).text).toBe('(no output), exit 0');
  expect((await call({ command: 'kill -9 $$' })).text).toBe('(no output), killed by SIGKILL');
});

test('case-S01: background children are named', async () => {
  // The child is a shell until it has become `sleep`.
  const started = 'until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done';
  expect((await call({ command: `sleep 60 & ${started}; echo done` })).text).toContain(
    '1 background process still running: sleep',
  );
});

test('case-S05: a time limit is told with what it was', async () => {
  const result = await call({ command: 'sleep 60', timeout_s: 1 });
  expect(result.text).toContain('timed out after 1 s');
  expect(result.isError).toBe(true);
});

test('H13: head and tail of a long output reach the model, all of it is kept', async () => {
  const result = await call({ command: 'seq 1 20000' });
  expect(result.text.length).toBeLessThan(12_500);
  expect(result.text).toContain('1\n2\n3\n');
  expect(result.text).toContain(`20000\n[${result.cutChars} characters were cut from the middle.`);
  expect(readFileSync(result.fullOutputPath ?? '', 'utf8')).toHaveLength(108_894);
});

test('sec-B06: a folder outside the project is refused before anybody is asked', async () => {
  symlinkSync('/etc', join(project, 'link'));
  for (const cwd of ['/', '..', '~', '$HOME', '../project-x', 'link']) {
    await expect(call({ command: 'pwd', cwd }), cwd).rejects.toBeInstanceOf(AppError);
  }
  expect((await call({ command: 'pwd', cwd: 'sub' })).text).toBe(`${project}/sub\n[exit 0]`);
});

test('case-S13: a folder that is gone is an error once, the next call runs in the project', async () => {
  mkdirSync(join(project, 'gone'));
  await call({ command: 'rmdir ../gone', cwd: 'gone' });
  await expect(call({ command: 'pwd', cwd: 'gone' })).rejects.toMatchObject({ code: 'not_found' });
  expect((await call({ command: 'pwd' })).text).toContain(project);
});

test('sec-B14: a folder that leads elsewhere after the answer is not used', async () => {
  mkdirSync(join(project, 'here'));
  const args = { command: 'pwd', cwd: 'here' };
  const prepared = (await tool.prepare?.(args, context())) ?? null;
  rmSync(join(project, 'here'), { recursive: true });
  symlinkSync('sub', join(project, 'here'));
  await expect(tool.run(args, context(), prepared)).rejects.toMatchObject({ code: 'stale' });
});

test('plain git log is sent to git_log, anything more is run', async () => {
  for (const command of ['git log', 'git log -5', 'git log --oneline -n 3 src/a.ts', ' git  log ']) {
    await expect(call({ command }), command).rejects.toThrow(/git_log/);
  }
  for (const command of ['git log | head -1', 'git log --format=%H -1', 'git log -p']) {
    expect((await call({ command })).exitCode, command).toBeTypeOf('number');
  }
});

test('commands that take long get 600 s, others 90 s, and the call may say', () => {
  const limits = ['ls', 'npm ci', 'npm test', 'cargo build', 'git status', 'python -m pytest -q'].map(
    (command) => timeLimitSeconds({ command }),
  );
  expect(limits).toEqual([90, 600, 600, 600, 90, 600]);
  expect(timeLimitSeconds({ command: 'ls', timeout_s: 5 })).toBe(5);
});

test('case-S18: a background command returns at once, is listed with its log, and ends on quit', async () => {
  const own = createProcessLedger(base);
  const background = createRunCommand({ ledger: own, confinement: () => Promise.resolve(null) });
  const result = await background.run({ command: 'echo up; sleep 60', background: true }, context(), null);
  expect(result.text).toMatch(/^Started in the background: process \d+, output in /);
  const log = result.fullOutputPath ?? '';
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toBe('up\n');
  expect(own.list()).toMatchObject([{ command: 'echo up; sleep 60', background: true, logPath: log }]);
  await own.killAll(100);
  expect(await markedProcesses(`LATHE_RUN=${own.runId}`)).toEqual([]);
});

test('sec-I01: what must be confined does not run where nothing can confine it', async () => {
  const args = { command: 'touch CANARY' };
  await expect(call(args, { confinement: 'required' })).rejects.toMatchObject({ code: 'unsupported' });
  expect(existsSync(join(project, 'CANARY'))).toBe(false);
});

test('H11: stopping ends the call as cancelled', async () => {
  const stop = new AbortController();
  const running = call(
    { command: 'echo up; sleep 60' },
    {
      signal: stop.signal,
      output: () => {
        stop.abort();
      },
    },
  );
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
});
