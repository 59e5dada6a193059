import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { isAlive } from '../testing/is-alive';
import { createProcessLedger } from './ledger';
import { markedProcesses } from './marks';
import { runProcess, type RunOptions } from './run-process';
import { startBackground } from './start-background';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-run-')));
const cwd = join(home, 'project');
mkdirSync(cwd);
const ledger = createProcessLedger(home);
let calls = 0;

afterAll(() => ledger.killAll(0));

function run(command: string, options: Partial<RunOptions> = {}) {
  calls += 1;
  return runProcess({
    command,
    cwd,
    callId: `call-${calls}`,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    textLimit: 12_000,
    logPath: join(home, 'out', `${calls}.log`),
    onOutput: () => undefined,
    ledger,
    ...options,
  });
}

const until = (condition: () => boolean | Promise<boolean>) => expect.poll(condition).toBe(true);

/** Until then the child is a copy of the shell, and named like it. */
const untilItSleeps = 'until read -r name </proc/$!/comm && [ "$name" = sleep ]; do :; done';

test('case-S01: background children that hold the pipes do not hold the call', async () => {
  const outcome = await run(`sleep 60 & ${untilItSleeps}; echo done`);
  expect(outcome).toMatchObject({ ended: 'exit', exitCode: 0, text: 'done\n', background: ['sleep'] });
});

test('case-S01: a background child without pipes is noted too', async () => {
  const outcome = await run(`sleep 60 >/dev/null 2>&1 & ${untilItSleeps}; echo done`);
  expect(outcome.background).toEqual(['sleep']);
});

test('case-S03: nothing waits for input', async () => {
  const commands = ['cat', 'read x', 'python3 -c "input()"', 'git commit', 'git -c core.editor= tag -a x'];
  for (const command of commands) {
    const outcome = await run(command, { timeoutMs: 8000 });
    expect(outcome.ended, command).toBe('exit');
  }
});

test('case-S04: a clone that needs a password fails instead of asking', async () => {
  const outcome = await run('git clone https://127.0.0.1:1/private.git');
  expect(outcome).toMatchObject({ ended: 'exit', exitCode: 128 });
});

test('case-S05: a tree that heeds TERM is gone at once, one that ignores it later, also what called setsid', async () => {
  const command = `setsid bash -c 'trap "" TERM; while :; do sleep 1; done' & bash -c 'trap "" TERM; while :; do sleep 1; done'`;
  const stubborn = run(command, { timeoutMs: 300, callId: 'stubborn' });
  const heeding = run('sleep 60', { timeoutMs: 300 });
  expect(await Promise.race([stubborn, heeding])).toMatchObject({ ended: 'timeout', signal: 'SIGTERM' });
  expect(await markedProcesses('LATHE_CALL=stubborn.')).not.toEqual([]);
  expect((await stubborn).ended).toBe('timeout');
  expect(await markedProcesses('LATHE_CALL=stubborn.')).toEqual([]);
});

test('stopping returns at once while the tree is being ended', async () => {
  const stop = new AbortController();
  const outcome = await run(`trap '' TERM; echo $$; while :; do sleep 1; done`, {
    signal: stop.signal,
    callId: 'stopped',
    onOutput: () => stop.abort(),
  });
  expect(isAlive(Number(outcome.text))).toBe(true);
  expect(outcome).toMatchObject({ ended: 'abort', text: expect.stringMatching(/^\d+\n$/) as string });
  await until(async () => (await markedProcesses('LATHE_CALL=stopped.')).length === 0);
});

test('case-S06: output without end stays bounded in memory and on disk', async () => {
  const before = process.memoryUsage().rss;
  const outcome = await run('yes', { timeoutMs: 1500 });
  expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
  expect(outcome.ended).toBe('timeout');
  expect(outcome.text.length).toBeLessThan(12_200);
  expect(statSync(outcome.logPath ?? '').size).toBeLessThanOrEqual(10 * 1024 * 1024);
});

test('case-S06: of a long output head and tail are kept and the log has all of it', async () => {
  const outcome = await run('seq 1 100000');
  expect(outcome.text.startsWith('1\n2\n3\n')).toBe(true);
  expect(outcome.text.endsWith('99999\n100000\n')).toBe(true);
  expect(outcome.text).toMatch(/\[… \d+ characters cut …\]/);
  expect(outcome.cutChars).toBe(588_895 - 12_000);
  expect(readFileSync(outcome.logPath ?? '', 'utf8')).toBe(
    execFileSync('seq', ['1', '100000'], { encoding: 'utf8' }),
  );
});

test('case-S07: silence is empty text', async () => {
  expect(await run('true')).toMatchObject({ text: '', exitCode: 0, logPath: null, cutChars: 0 });
});

test('case-S08: a line that overwrites itself is reduced to its last state', async () => {
  expect((await run(String.raw`printf 'a\rb\rc\n'`)).text).toBe('c\n');
  const progress = await run('for i in $(seq 1 3000); do printf "\\r\\033[K%d%%" $i; done; echo; echo "a\r"');
  expect(progress.text).toBe('3000%\na\n');
});

test('sec-G05: control sequences do not reach the model', async () => {
  const outcome = await run(
    String.raw`printf '\033[31mred\033[0m \033]0;title\007\033]8;;http://x\033\\link\033P1q\033\\ ok\n'`,
  );
  expect(outcome.text).toBe('red link ok\n');
});

test('characters that are split over chunks arrive whole', async () => {
  const outcome = await run(String.raw`printf '\xe2\x82'; sleep 0.05; printf '\xac\n'`);
  expect(outcome.text).toBe('€\n');
});

test('case-S13: a folder that is gone is said once, and the next command runs elsewhere', async () => {
  const gone = join(cwd, 'gone');
  mkdirSync(gone);
  await run('rmdir ../gone', { cwd: gone });
  await expect(run('pwd', { cwd: gone })).rejects.toMatchObject({ code: 'not_found' });
  expect((await run('pwd')).text).toBe(`${cwd}\n`);
});

test('case-S14: exit codes and signals are reported as they are', async () => {
  expect(await run('grep x /dev/null')).toMatchObject({ exitCode: 1, signal: null });
  expect(await run('exit 3')).toMatchObject({ exitCode: 3 });
  expect(await run('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', ended: 'exit' });
});

test('case-S15: the command reaches the shell byte for byte', async () => {
  const text = `a"b'c\`d$e!f%PATH%g\\h\ni`;
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
  expect((await run(`printf %s ${quoted}`)).text).toBe(text);
});

test('case-S16: a command that is too long for the system is named as such', async () => {
  await expect(run(`: ${'x'.repeat(3_000_000)}`)).rejects.toMatchObject({ code: 'bad_argument' });
});

test('case-S17: the output of a fast command is never lost', async () => {
  for (let round = 0; round < 10; round += 1) {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => run('echo hi; echo ho >&2')));
    for (const { text } of outcomes) expect(text.split('\n').sort()).toEqual(['', 'hi', 'ho']);
  }
}, 60_000);

test('the end of a large output is never lost', async () => {
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => run('seq 1 300000')));
  for (const { text } of outcomes) expect(text.endsWith('\n300000\n')).toBe(true);
});

test('case-S18: on quit everything is killed, also in the background and after setsid', async () => {
  const own = createProcessLedger(home);
  const logPath = join(home, 'out', 'server.log');
  await startBackground({
    command: 'echo up; setsid sleep 60 & sleep 60',
    cwd,
    callId: 'dev',
    logPath,
    ledger: own,
  });
  await run('setsid sleep 61 >/dev/null 2>&1 &', { ledger: own });
  await until(() => existsSync(logPath) && readFileSync(logPath, 'utf8') === 'up\n');
  expect(own.list().some((entry) => entry.background && entry.command.startsWith('echo up'))).toBe(true);
  await own.killAll(200);
  expect(await markedProcesses(`LATHE_RUN=${own.runId}`)).toEqual([]);
});

test('case-S18: what a dead run left behind is ended at the next start', async () => {
  const dead = createProcessLedger(home);
  await startBackground({
    command: 'setsid sleep 60 & sleep 60',
    cwd,
    callId: 'orphan',
    logPath: join(home, 'out', 'orphan.log'),
    ledger: dead,
  });
  await until(async () => (await markedProcesses(`LATHE_RUN=${dead.runId}`)).length >= 2);
  writeFileSync(join(home, 'runs', `${dead.runId}.json`), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
  expect(await ledger.reapOrphans()).toBeGreaterThanOrEqual(2);
  expect(await markedProcesses(`LATHE_RUN=${dead.runId}`)).toEqual([]);
  expect(existsSync(join(home, 'runs', `${dead.runId}.json`))).toBe(false);
});

test('sec-C15: no start-up file gives approved words another meaning', async () => {
  const rc = join(home, 'rc');
  writeFileSync(rc, `alias git='touch ${home}/CANARY'\ngit() { touch ${home}/CANARY; }\n`);
  vi.stubEnv('BASH_ENV', rc);
  vi.stubEnv('ENV', rc);
  vi.stubEnv('BASH_FUNC_git%%', `() { touch ${home}/CANARY; }`);
  expect((await run('git --version')).text).toContain('git version');
  expect(existsSync(join(home, 'CANARY'))).toBe(false);
});

test('sec-C08: nothing is inherited from an earlier command', async () => {
  await run('export LEFT=1; cd /; alias ls=id');
  expect((await run('echo "${LEFT:-none}"; pwd')).text).toBe(`none\n${cwd}\n`);
});

test('secrets and our own settings stay out of the environment, and nothing prompts', async () => {
  for (const name of [
    'OPENAI_API_KEY',
    'GH_TOKEN',
    'AWS_PROFILE',
    'SSH_AUTH_SOCK',
    'NODE_OPTIONS',
    'LD_PRELOAD_X',
    'npm_config_x',
    'ELECTRON_X',
    'DB_PASSWORD',
  ]) {
    if (name !== 'NODE_OPTIONS') vi.stubEnv(name, 'SEEN');
  }
  const { text } = await run('env');
  expect(text).not.toContain('SEEN');
  for (const line of [
    'CI=1',
    'GIT_TERMINAL_PROMPT=0',
    'EDITOR=true',
    'GIT_PAGER=cat',
    'PAGER=cat',
    'TERM=dumb',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test.runIf(process.platform === 'linux')('a command can open its output by name', async () => {
  for (const command of ['echo a >/dev/stdout; echo b >/dev/stderr', 'echo a | tee /dev/stderr']) {
    const { text, exitCode } = await run(command);
    expect(text.split('\n').sort().join(''), command).toMatch(/^a[ab]$/);
    expect(exitCode).toBe(0);
  }
});
