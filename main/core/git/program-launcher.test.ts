import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProgramLauncher } from './program-launcher';
import { runLaunched } from './run-launched';
import type { ProgramRun } from './run-program';

const SH = '/bin/sh';

function startLauncher(): ProgramLauncher {
  const launcher = ProgramLauncher.start({ HOME: '/nowhere' });
  if (launcher === null) throw new Error('no launcher');
  onTestFinished(() => launcher.close());
  return launcher;
}

function programRun(script: string, over: Partial<ProgramRun> = {}): ProgramRun & { text(): string } {
  const chunks: Buffer[] = [];
  return {
    program: SH,
    args: ['-c', script],
    cwd: '/',
    env: {},
    signal: new AbortController().signal,
    timeLimitMs: 20_000,
    onStdout: (chunk) => {
      chunks.push(chunk);
      return true;
    },
    text: () => Buffer.concat(chunks).toString(),
    ...over,
  };
}

async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'launch test ')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const linux = test.runIf(process.platform === 'linux');

linux('output, errors, exit code, folder and environment are those of the program', async () => {
  const launcher = startLauncher();
  const cwd = await folder();
  const run = programRun('pwd; echo "$HOME"; echo oops >&2; cat; exit 3', { cwd });
  expect(await runLaunched(run, launcher)).toEqual({ ended: 'exit', exitCode: 3, stderr: 'oops\n' });
  expect(run.text()).toBe(`${cwd}\n/nowhere\n`);
});

linux('arguments arrive as they are, whatever is in them', async () => {
  const launcher = startLauncher();
  const odd = ['', ' ', "it's", '"$HOME"', 'a\nb\n', '`id`', '\\n\\', '$(id)', 'ü 👩‍💻', '-n', '#', '*'];
  const run = programRun('', { args: ['-c', 'printf "%s|" "$@"', 'sh', ...odd] });
  await runLaunched(run, launcher);
  expect(run.text()).toBe(odd.map((word) => `${word}|`).join(''));
});

linux('programs run side by side, each with its own output', async () => {
  const launcher = startLauncher();
  const runs = [4, 2, 5, 1, 3].map((n) => programRun(`sleep 0.${n}; echo ${n}`));
  const ends = await Promise.all(runs.map((run) => runLaunched(run, launcher)));
  expect(ends.every(({ exitCode }) => exitCode === 0)).toBe(true);
  expect(runs.map((run) => run.text())).toEqual(['4\n', '2\n', '5\n', '1\n', '3\n']);
});

linux('stop and the time limit end the program', async () => {
  const launcher = startLauncher();
  const stop = new AbortController();
  const stopped = runLaunched(programRun('exec sleep 60', { signal: stop.signal }), launcher);
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  const late = runLaunched(programRun('exec sleep 60', { timeLimitMs: 50 }), launcher);
  await expect(late).rejects.toMatchObject({ code: 'timed_out' });
});

linux('a reader that has enough gets no more, and a program that prints without end is ended', async () => {
  const launcher = startLauncher();
  const little = programRun('yes | head -c 1000000', { onStdout: () => false });
  expect(await runLaunched(little, launcher)).toMatchObject({ ended: 'early', exitCode: -1 });
  let bytes = 0;
  const endless = programRun('exec yes', { onStdout: (chunk) => (bytes += chunk.length) > 0 });
  expect(await runLaunched(endless, launcher)).toMatchObject({ exitCode: -1 });
  expect(bytes).toBe(64 * 1024 * 1024);
});

linux(
  'a program that is not there is an error; a folder that is not there is told by the shell',
  async () => {
    const launcher = startLauncher();
    await expect(
      runLaunched(programRun('', { program: '/no/such/program' }), launcher),
    ).rejects.toMatchObject({ code: 'io_failed' });
    const end = await runLaunched(programRun('echo x', { cwd: '/no/such/folder' }), launcher);
    expect(end).toMatchObject({ stderr: expect.stringContaining('/no/such/folder') as string });
    expect(end.exitCode).not.toBe(0);
  },
);

linux('when the launcher ends in between, the program is started directly', async () => {
  const launcher = startLauncher();
  const run = programRun('sleep 0.1; echo x');
  const running = runLaunched(run, launcher);
  launcher.close();
  expect(launcher.usable).toBe(false);
  expect(await running).toMatchObject({ exitCode: 0 });
  expect(run.text()).toBe('x\n');
  const later = programRun('echo y');
  await runLaunched(later, launcher);
  expect(later.text()).toBe('y\n');
});

linux('nothing is left in the folder for temporary files', async () => {
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith('lathe-launch-'));
  const launcher = ProgramLauncher.start({});
  if (launcher === null) throw new Error('no launcher');
  await runLaunched(programRun('echo x'), launcher);
  launcher.close();
  const after = (await readdir(tmpdir())).filter((name) => name.startsWith('lathe-launch-'));
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
});
