import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ProcessStarter } from './process-starter';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-starter-')));

/** A stop that is taken back only once it has come. */
const STOPPED_FOR_A_WHILE =
  '(until grep -q "^State:.T" /proc/$$/status; do sleep 0.01; done; kill -CONT $$) & kill -STOP $$';

describe.runIf(process.platform === 'linux')('a helper that starts processes', () => {
  let starter: ProcessStarter;
  beforeAll(async () => {
    starter = await made();
  });
  afterAll(() => starter.close());

  async function made(): Promise<ProcessStarter> {
    const one = ProcessStarter.start();
    if (one === null) throw new Error('no helper');
    await one.ready;
    return one;
  }

  const begin = (command: string, by = starter, environment = {}) => {
    const argv = ['/bin/bash', '--norc', '-c', command];
    const started = by.start({ argv, folder: home, environment, told: false });
    if (started === null) throw new Error('not started');
    return started;
  };

  async function run(command: string, environment = {}) {
    const started = begin(command, starter, environment);
    const [stdout, stderr, exit] = await Promise.all([
      text(started.stdout),
      text(started.stderr),
      started.exit,
    ]);
    return { stdout, stderr, ...exit };
  }

  const parentOf = (pid: number): number =>
    Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

  test.each([
    ['exit 0', 0, null],
    ['exit 3', 3, null],
    ['exit 130', 130, null],
    ['exit 137', 137, null],
    ['exit 255', 255, null],
    ['kill -9 $$', null, 'SIGKILL'],
    ['kill -15 $$', null, 'SIGTERM'],
    ['kill -2 $$', null, 'SIGINT'],
    ['kill -13 $$', null, 'SIGPIPE'],
    ['kill -SEGV $$', null, 'SIGSEGV'],
    ['kill -1 $$', null, 'SIGHUP'],
    [`${STOPPED_FOR_A_WHILE}; exit 131`, 131, null],
  ])('%s is told as what it was', async (command, code, signal) => {
    expect(await run(command)).toMatchObject({ code, signal });
  });

  test('it gets its folder, its arguments and its whole environment as they are, and nothing else', async () => {
    const odd = `a'b"c\n$HOME \`id\` \\ =€`;
    const environment = { ODD: odd, '-i': 'x', PATH: '/bin:/usr/bin' };
    const argv = ['/usr/bin/env', '-0'];
    const started = starter.start({ argv, folder: home, environment, told: false });
    const shown = started === null ? '' : await text(started.stdout);
    const given = shown.split('\0').filter((each) => each !== '');
    expect(given.sort()).toEqual(
      Object.entries(environment)
        .map((pair) => pair.join('='))
        .sort(),
    );
    const folder = mkdtempSync(join(home, `odd '\n"-`));
    const inside = starter.start({
      argv: ['/bin/bash', '-c', 'printf %s "$PWD" "$1"', 'x', odd],
      folder,
      environment: {},
      told: false,
    });
    expect(inside === null ? '' : await text(inside.stdout)).toBe(folder + odd);
  });

  test('output can be opened by name; a reader that goes away ends who writes on', async () => {
    expect(await run('echo a >/dev/stdout; echo b >/dev/stderr; cat')).toMatchObject({
      stdout: 'a\n',
      stderr: 'b\n',
    });
    const endless = begin('yes');
    endless.stdout.once('data', () => endless.stdout.destroy());
    expect(await endless.exit).toEqual({ code: null, signal: 'SIGPIPE' });
    endless.letGo();
  });

  test('of many at a time every end is told, and rightly', async () => {
    const signals = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGPIPE'];
    const each = (index: number): [string, number | null, string | null] => {
      const signal = signals[(index >> 2) % 4] ?? 'SIGKILL';
      const stopped = `${STOPPED_FOR_A_WHILE}; exit ${index}`;
      if (index % 4 === 0) return [`exit ${index}`, index, null];
      if (index % 4 === 1) return [`kill -${signal} $$`, null, signal];
      return [index % 4 === 2 ? `sleep 0.0${index % 10}; exit ${index}` : stopped, index, null];
    };
    for (let first = 0; first < 160; first += 8) {
      const round = Array.from({ length: 8 }, (_, index) => each(first + index));
      const ends = await Promise.all(round.map(([command]) => run(command, { PATH: '/bin:/usr/bin' })));
      expect(ends.map(({ code, signal }) => [code, signal])).toEqual(round.map(([, ...end]) => end));
    }
  });

  test('of a hundred processes no handle is left', async () => {
    const handles = (): number => readdirSync('/proc/self/fd').length;
    await run('true');
    const before = handles();
    for (let round = 0; round < 100; round += 1) expect((await run('echo x')).stdout).toBe('x\n');
    await expect.poll(handles).toBeLessThanOrEqual(before);
  });

  test('a process that was killed at once, its watcher too, is seen to end, and so is its output', async () => {
    for (let round = 0; round < 40; round += 1) {
      const started = begin('read -t 30 <> <(:); echo end; exit 4');
      const output = text(started.stdout);
      const pid = (await started.pid) ?? 0;
      process.kill(parentOf(pid), 'SIGKILL');
      expect(started.isAlive()).toBe(true);
      started.kill();
      expect(await started.exit).toEqual({ code: null, signal: null });
      expect(await output).toBe('');
      started.letGo();
    }
  });

  test('a helper that was killed starts nothing more; what runs goes on and is seen to end', async () => {
    const own = await made();
    const started = begin('read -t 0.3 <> <(:); echo end; exit 4', own);
    const output = text(started.stdout);
    const pid = (await started.pid) ?? 0;
    process.kill(parentOf(parentOf(pid)), 'SIGKILL');
    await vi.waitFor(() => expect(own.isUsable).toBe(false));
    expect(own.start({ argv: ['/bin/true'], folder: home, environment: {}, told: false })).toBeNull();
    expect(await started.exit).toEqual({ code: 4, signal: null });
    expect(await output).toBe('end\n');
  });

  test('what it can’t start it leaves to others', () => {
    const start = (argv: string[]) => starter.start({ argv, folder: home, environment: {}, told: false });
    expect(start([join(home, 'none')])).toBeNull();
    expect(start(['/bin/true', 'x'.repeat(100_000)])).toBeNull();
  });

  test('nothing of it is left when its process ends, however that happens', async () => {
    const bundle = join(home, 'starter.mjs');
    const input = join(import.meta.dirname, 'process-starter.ts');
    await build({ input, platform: 'node', output: { file: bundle, format: 'esm' }, logLevel: 'silent' });
    const left = (): string[] => readdirSync(home).filter((name) => name.startsWith('lathe-pipes-'));
    for (const end of ['process.exit(0)', 'process.kill(process.pid, "SIGKILL")']) {
      const code = `const { ProcessStarter } = await import(${JSON.stringify(bundle)});
        const stay = setInterval(() => undefined, 1000);
        const starter = ProcessStarter.start();
        await starter.ready;
        starter.start({ argv: ['/bin/true'], folder: '/', environment: {}, told: false });
        ${end};`;
      const env = { ...process.env, TMPDIR: home };
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: 'inherit' });
      await once(child, 'exit');
      await expect.poll(left).toEqual([]);
    }
  });
});
