import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProcessLedger } from './ledger';
import { markedProcesses } from './marks';
import { ProcessStarter } from './process-starter';
import { runProcess, type RunOptions } from './run-process';
import { createShellPool, type ShellPoolOptions } from './shell-pool';
import { startBackground } from './start-background';
import { asTailCall } from './tail-call';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-pool-')));
const ledger = createProcessLedger(home);
const RUN = `LATHE_RUN=${ledger.runId}`;
const helper = ProcessStarter.start();
const starters = [
  { by: 'this process', starter: () => null },
  ...(process.platform === 'linux' ? [{ by: 'a helper', starter: () => helper }] : []),
];
let calls = 0;

beforeAll(() => helper?.ready);
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  helper?.close();
  await ledger.killAll(0);
});

/** What a process of its own needs to keep a shell. */
async function bundled(file: string): Promise<void> {
  const input = `${file}.ts`;
  const modules = ['shell-pool', 'process-starter'].map((name) => join(import.meta.dirname, `${name}.ts`));
  writeFileSync(input, modules.map((path) => `export * from ${JSON.stringify(path)};`).join('\n'));
  await build({ input, platform: 'node', output: { file, format: 'esm' }, logLevel: 'silent' });
}

describe.each(starters)('shells that $by starts', ({ starter }) => {
  const cwd = realpathSync(mkdtempSync(join(home, 'project-')));
  mkdirSync(join(cwd, 'sub'));
  const pool = (options: ShellPoolOptions) => createShellPool({ ...options, starter });
  const shells = pool({ folder: cwd, runId: ledger.runId });
  afterAll(() => shells.close());

  function runFresh(command: string, options: Partial<RunOptions> = {}) {
    calls += 1;
    return runProcess({
      command,
      cwd,
      callId: `call-${calls}`,
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      textLimit: 200_000,
      logPath: join(home, 'out', `${calls}.log`),
      onOutput: () => undefined,
      ledger,
      ...options,
    });
  }

  function runReady(command: string, options: Partial<RunOptions> = {}) {
    shells.prepare();
    return runFresh(command, { shells, ...options });
  }

  async function waitingPid(): Promise<number> {
    shells.prepare();
    return vi.waitFor(async () => {
      const [shell] = await markedProcesses(RUN);
      expect(shell?.name).toBe('bash');
      return shell?.pid ?? 0;
    }, 30_000);
  }

  const isReadyShell = 'case $LATHE_CALL in waiting.*) echo ready;; *) echo new;; esac';

  test('a command runs in the shell that waits, and the next one in a new one', async () => {
    expect((await runReady(isReadyShell)).text).toBe('ready\n');
    expect((await runFresh(isReadyShell, { shells })).text).toBe('new\n');
  });

  test('sec-C08: such a shell shows exactly what a new one shows', async () => {
    const volatile =
      /^(declare -.*? )?(LATHE_CALL|BASHPID|SRANDOM|RANDOM|EPOCH\w+|PIPESTATUS|SECONDS|PPID|_|BASH_EXECUTION_STRING)(=|$)/;
    const looks = [
      'env | sort',
      'set; declare -p; declare -f; alias; trap; shopt; set -o',
      'echo "$0 $# $* $- $PWD $HOME $SHLVL $((SECONDS < 9)) ${BASH_SUBSHELL} ${OLDPWD-unset}"; pwd -P; pwd -L',
      'umask; ulimit -a; jobs; dirs; hash; echo $BASH_EXECUTION_STRING',
      `for each in /proc/self/fd/*; do echo "$each"; done; readlink /proc/self/fd/0`,
      'grep -E "^Sig[BCIP]" /proc/self/status; grep -E "^(Shd|NoNew|Cap)" /proc/self/status; cat',
    ];
    for (const look of looks) {
      const [fresh, ready] = [await runFresh(look), await runReady(`${look} # ready`)];
      const lines = (text: string) =>
        text
          .replaceAll(' # ready', '')
          .split('\n')
          .filter((line) => !volatile.test(line));
      expect(lines(ready.text), look).toEqual(lines(fresh.text));
    }
  });

  test('case-S14: it ends as a new one ends: same code, signal and words', async () => {
    const script = join(cwd, 'script');
    writeFileSync(script, 'exit 7\n', { mode: 0o755 });
    writeFileSync(join(cwd, 'data'), 'x', { mode: 0o644 });
    const commands = [
      'exit 3',
      'grep x /dev/null',
      'kill -9 $$',
      'kill -15 $$',
      `sh -c 'kill -9 $$'`,
      `sh -c 'kill -SEGV $$' x "y z"`,
      `sh -c 'exit 137'; exit`,
      'nosuch',
      'nosuch a\n./nosuch b',
      './script',
      './data',
      './sub',
      'time -p true',
      'set -e; false; echo unseen',
      'trap "echo end" EXIT; exit 5',
      'exec sh -c "exit 9"',
      'echo a; exit 4; echo b',
      'cd sub && pwd; return 3 2>&1; echo x',
      'false | true; echo ${PIPESTATUS[@]}',
      'true',
      // Apart, because what comes out of two pipes may change places.
      'ls -d ~',
      'ls -d *.txt',
      'echo one # two',
      'cat <<E\nx $HOME\nE',
      'echo €  "漢"',
      ' \n\techo x',
      '',
    ];
    // Of two pipes nobody knows which was written to first.
    const shown = ({ text, exitCode, signal, ended }: Awaited<ReturnType<typeof runFresh>>) => ({
      lines: text
        .replaceAll(/\b\d{2,}\b(?= (Killed|Terminated|Segmentation))/g, 'PID')
        .replaceAll(/^(real|user|sys).*/gm, '')
        .split('\n')
        .sort(),
      ...{ exitCode, signal, ended },
    });
    for (const command of commands) {
      expect(shown(await runReady(command)), command).toEqual(shown(await runFresh(command)));
    }
  });

  test('a program that is the whole command takes the place of the shell', async () => {
    const { text } = await runReady('cat /proc/self/stat');
    const [pid, , , , group] = text.replace(/\(.*\)/, '()').split(' ');
    expect(pid).toBe(group);
    expect(asTailCall('npm test')).toContain('exec npm test');
    for (const command of [
      'echo $(x)',
      'a=1 b',
      'a; b',
      'a | b',
      'if x',
      'time x',
      'a > b',
      'a &',
      '"a" b',
      '-x',
    ]) {
      expect(asTailCall(command), command).toBe(command);
    }
  });

  test('case-S15: the command reaches the shell byte for byte, short or long', async () => {
    const text = `a"b'c\`d$e!f%PATH%g\\h\ni\u00e9\u20ac\u{1f600}`;
    for (const length of [1, 300, 4000, 16_000, 60_000]) {
      const long = text + 'ä'.repeat(length);
      const quoted = `'${long.replaceAll("'", `'\\''`)}'`;
      expect((await runReady(`printf %s ${quoted}`)).text === long, String(length)).toBe(true);
    }
  });

  test('sec-C08: a changed environment is seen by the next command, and nothing is left of the last', async () => {
    await runReady('export LEFT=1; cd /; alias ls=id');
    shells.prepare();
    vi.stubEnv('NEW_ONE', 'here');
    expect((await runFresh('echo "${LEFT:-none} ${NEW_ONE:-none}"; pwd', { shells })).text).toBe(
      `none here\n${cwd}\n`,
    );
  });

  test('case-S13: a folder that is gone is said as ever, one made anew is entered', async () => {
    const folder = join(cwd, 'moves');
    mkdirSync(folder);
    const own = pool({ folder, runId: ledger.runId });
    own.prepare();
    rmSync(folder, { recursive: true });
    await expect(runFresh('pwd', { shells: own, cwd: folder })).rejects.toMatchObject({ code: 'not_found' });
    mkdirSync(folder);
    writeFileSync(join(folder, 'new'), '');
    own.prepare();
    expect((await runFresh('pwd; ls', { shells: own, cwd: folder })).text).toBe(`${folder}\nnew\n`);
    own.prepare();
    const sub = join(cwd, 'sub');
    const { text } = await runFresh('pwd; echo ${OLDPWD-unset}', { shells: own, cwd: sub });
    expect(text).toBe(`${sub}\nunset\n`);
    own.close();
  });

  test('a shell that somebody killed while it waited costs nothing: the command runs, once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const marker = join(cwd, `once-${round}`);
      process.kill(await waitingPid(), 'SIGKILL');
      const outcome = await runFresh(`echo x >> ${marker}; echo ran`, { shells });
      expect(outcome).toMatchObject({ text: 'ran\n', exitCode: 0 });
      expect(readFileSync(marker, 'utf8')).toBe('x\n');
      expect((await runReady(isReadyShell)).text).toBe('ready\n');
    }
  });

  test('case-S17: what ends at once has run once and lost nothing', async () => {
    const own = pool({ folder: cwd, runId: ledger.runId });
    const marker = join(cwd, 'count');
    for (let round = 0; round < 100; round += 1) {
      own.prepare();
      const { text } = await runFresh(`echo x >> ${marker}; echo hi; kill -9 $$`, { shells: own });
      expect(text).toBe('hi\n');
    }
    expect(readFileSync(marker, 'utf8')).toBe('x\n'.repeat(100));
    own.close();
  });

  test('case-S05: a time limit ends the whole tree, also what called setsid', async () => {
    const stubborn = `bash -c 'trap "" TERM; while :; do sleep 1; done'`;
    const outcome = await runReady(`setsid ${stubborn} & ${stubborn}`, { timeoutMs: 300 });
    expect(outcome.ended).toBe('timeout');
    expect(await markedProcesses(RUN)).toEqual([]);
  });

  test('case-S01: a loop in the background that never starts a program is found and ended', async () => {
    const outcome = await runReady('(while :; do :; done) >/dev/null 2>&1 & echo done');
    expect(outcome).toMatchObject({ text: 'done\n', background: ['bash'] });
    await Promise.all(ledger.list().map(({ mark }) => ledger.kill(mark)));
    expect(await markedProcesses(RUN)).toEqual([]);
  });

  test('case-S18: a background command may use the shell that waits and ends on quit', async () => {
    const own = createProcessLedger(home);
    const made = pool({ folder: cwd, runId: own.runId });
    made.prepare();
    const logPath = join(home, 'out', 'server.log');
    const command = `${isReadyShell}; setsid sleep 60 & sleep 60`;
    await startBackground({ command, cwd, callId: 'dev', logPath, ledger: own, shells: made });
    await expect.poll(() => existsSync(logPath) && readFileSync(logPath, 'utf8')).toBe('ready\n');
    made.prepare();
    made.close();
    await own.killAll(100);
    expect(await markedProcesses(`LATHE_RUN=${own.runId}`)).toEqual([]);
  });

  test('a closed pool leaves no shell and makes none', async () => {
    const own = createProcessLedger(home);
    const made = pool({ folder: cwd, runId: own.runId });
    made.prepare();
    made.close();
    made.prepare();
    await expect.poll(() => markedProcesses(`LATHE_RUN=${own.runId}`)).toEqual([]);
    expect((await runFresh(isReadyShell, { shells: made })).text).toBe('new\n');
  });

  test('shells that are killed again and again are given up', async () => {
    const own = pool({ folder: cwd, wrap: () => ['/bin/false'] });
    for (let round = 0; round < 5; round += 1) {
      own.prepare();
      expect((await runFresh('echo here', { shells: own })).text).toBe('here\n');
    }
    own.close();
  });

  test('case-S18: when this process is killed, the shell that waits ends by itself', async () => {
    const bundle = join(cwd, 'shell-pool.mjs');
    await bundled(bundle);
    const mark = `LATHE_RUN=killed-${process.pid}`;
    const code = `const { createShellPool, processStarter } = await import(${JSON.stringify(bundle)});
    const starter = ${starter() === null ? '() => null' : 'processStarter'};
    const stay = setInterval(() => undefined, 1000);
    await starter()?.ready;
    clearInterval(stay);
    createShellPool({ starter, folder: ${JSON.stringify(cwd)}, runId: 'killed-${process.pid}' }).prepare();
    setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    await expect.poll(() => markedProcesses(mark)).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => markedProcesses(mark)).toEqual([]);
  });

  test('the shell that waits does not keep this process alive', async () => {
    const bundle = join(cwd, 'shell-pool-exit.mjs');
    await bundled(bundle);
    const code = `const { createShellPool, processStarter } = await import(${JSON.stringify(bundle)});
    const starter = ${starter() === null ? '() => null' : 'processStarter'};
    const stay = setInterval(() => undefined, 1000);
    await starter()?.ready;
    clearInterval(stay);
    createShellPool({ starter, folder: ${JSON.stringify(cwd)} }).prepare();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('a shell is started once there is nothing else to do', async () => {
    const own = createProcessLedger(home);
    const made = pool({ folder: cwd, runId: own.runId });
    made.prepareSoon();
    made.prepareSoon();
    await expect.poll(() => markedProcesses(`LATHE_RUN=${own.runId}`)).toHaveLength(1);
    made.close();
  });
});
