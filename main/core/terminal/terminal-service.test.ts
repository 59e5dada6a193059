import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../testing/is-alive';
import { silentLogger } from '../log/logger';
import type { OutputMessage } from './audience';
import { chooseShell } from './shell-choice';
import { terminalEnvironment } from './terminal-environment';
import { TerminalService } from './terminal-service';

let root: string;
let shell: string;
let service: TerminalService;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-terminal-')));
  mkdirSync(join(root, 'sub'));
  shell = '/bin/bash';
  const env = { PATH: process.env.PATH, HOME: root, PS1: '$ ', HISTFILE: '/dev/null' };
  service = new TerminalService({ root, shell: () => shell, env, log: silentLogger });
});
afterEach(async () => {
  await service.closeAll();
  rmSync(root, { recursive: true, force: true });
});

/** A window that draws at once, or only when it is told to. */
class Screen {
  text = '';
  exit: Extract<OutputMessage, { kind: 'exit' }> | null = null;
  replays = 0;
  readonly stop: () => void;
  readonly #id: string;

  constructor(id: string, options: { draws: boolean } = { draws: true }) {
    this.#id = id;
    this.stop = service.subscribe(id, (message) => {
      if (message.kind === 'exit') this.exit = message;
      else this.text += message.data;
      if (message.kind === 'replay') this.replays += 1;
      if (message.kind === 'data' && options.draws) service.acknowledge(this.#id, message.data.length);
    });
  }

  async until(found: string | RegExp): Promise<void> {
    const isThere = (): boolean =>
      typeof found === 'string' ? this.text.includes(found) : found.test(this.text);
    await expect.poll(isThere, { message: `waits for ${String(found)}` }).toBe(true);
  }
  async untilExit(): Promise<void> {
    await expect.poll(() => this.exit).not.toBeNull();
  }
}

const open = async (cwd = '') => (await service.open({ cwd, cols: 80, rows: 24 })).id;
describe.skipIf(process.platform === 'win32')('real shells', () => {
  test('several terminals run side by side in their own folders', async () => {
    const [a, b] = [await open(), await open('sub')];
    const [left, right] = [new Screen(a), new Screen(b)];
    await service.write(a, 'pwd; echo $TERM$((1+1))\r');
    await service.write(b, 'pwd\r');
    await left.until(`${root}\r\n`);
    await left.until('xterm-256color2');
    await right.until(`${root}/sub\r\n`);
    expect(service.list()).toMatchObject([
      { id: a, title: 'bash', shell: '/bin/bash', running: true, exitCode: null },
      { id: b, running: true },
    ]);
  });

  test('a folder outside the project, a missing one and a file are refused', async () => {
    symlinkSync('/', join(root, 'out'));
    writeFileSync(join(root, 'file'), '');
    await expect(open('out')).rejects.toMatchObject({ code: 'symlink_escape' });
    await expect(open('../')).rejects.toMatchObject({ code: 'outside_workspace' });
    await expect(open('gone')).rejects.toMatchObject({ code: 'not_found' });
    await expect(open('file')).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('case-X01: one megabyte pasted into cat arrives whole', async () => {
    const id = await open();
    const screen = new Screen(id);
    await service.write(id, 'stty -echo; cat > pasted; echo do""ne\r');
    await screen.until('stty -echo; cat');
    const line = `${'0123456789'.repeat(6)}abc\n`;
    const text = line.repeat(1_048_576 / line.length);
    await expect.poll(() => statSync(join(root, 'pasted')).size).toBe(0);
    await service.write(id, `${text}\u0004`);
    await screen.until('done');
    expect(readFileSync(join(root, 'pasted'), 'utf8') === text).toBe(true);
  });

  test('case-X03: a program is held up while nothing is drawn, and Ctrl-C works at once', async () => {
    const [id, other] = [await open(), await open()];
    const screen = new Screen(id, { draws: false });
    const busy = new Screen(other);
    await service.write(id, 'yes\r');
    await expect.poll(() => screen.text.length).toBeGreaterThan(100_000);
    await service.write(other, 'seq 1 200000; echo en""ded\r');
    await busy.until('ended');
    const held = screen.text.length;
    expect(held).toBeLessThan(400_000);
    service.acknowledge(id, 50_000);
    service.acknowledge(id, held);
    await expect.poll(() => screen.text.length).toBeGreaterThan(held + 50_000);
    const drawing = setInterval(() => service.acknowledge(id, 1_000_000), 5);
    await service.write(id, '\u0003');
    await screen.until(/\^C[^]*\$ $|\^C[^]*# $/);
    clearInterval(drawing);
  });

  test('a window that leaves no longer holds the program up', async () => {
    const id = await open();
    const slow = new Screen(id, { draws: false });
    await service.write(id, 'seq 1 100000; echo en""ded\r');
    await expect.poll(() => slow.text.length).toBeGreaterThan(100_000);
    slow.stop();
    const next = new Screen(id);
    await next.until('ended');
  });

  test('case-X04: sizes are clamped, NaN and a resize after the exit do no harm', async () => {
    const id = await open();
    const screen = new Screen(id);
    service.resize(id, 0, 0);
    await service.write(id, 'stty size\r');
    await screen.until(/\b1 2\r*\n/);
    service.resize(id, Number.NaN, Number.NaN);
    for (let n = 10; n <= 100; n += 1) service.resize(id, n + 20, n);
    screen.text = '';
    await service.write(id, 'stty size\r');
    await screen.until('100 120');
    await service.write(id, 'exit 3\r');
    await screen.untilExit();
    service.resize(id, 90, 30);
    expect(screen.exit).toEqual({ kind: 'exit', exitCode: 3, message: 'The shell ended with code 3.' });
    expect(service.list()).toMatchObject([{ running: false, exitCode: 3 }]);
    await expect(service.write(id, 'x')).rejects.toMatchObject({ code: 'conflict' });
    await service.restart(id);
    await service.write(id, 'stty size\r');
    await screen.until('30 90');
    expect(screen.replays).toBe(2);
  });

  test('case-X07: characters split over reads stay whole', async () => {
    writeFileSync(join(root, 'wide.txt'), 'a' + '漢字👩‍👩‍👧é'.repeat(30_000));
    const id = await open();
    const screen = new Screen(id);
    await service.write(id, 'cat wide.txt; echo en""ded\r');
    await screen.until('ended');
    expect(screen.text).not.toContain('\ufffd');
    expect(screen.text.split('漢字👩‍👩‍👧é').length - 1).toBe(30_000);
  });

  test('case-X08: a missing shell gives a message and a restart, not an error or a blank pane', async () => {
    shell = '/no/such/shell';
    const info = await service.open({ cwd: '', cols: 80, rows: 24 });
    expect(info).toMatchObject({ running: false, exitCode: null, shell: '/no/such/shell' });
    const screen = new Screen(info.id);
    expect(screen.exit?.message).toContain('"/no/such/shell" was not found');
    shell = '/bin/bash';
    expect(await service.restart(info.id)).toMatchObject({ running: true, shell: '/bin/bash' });
    await service.write(info.id, 'echo ali""ve\r');
    await screen.until('alive');
  });

  test('case-X08: a shell that ends at once says so', async () => {
    shell = join(root, 'quick');
    writeFileSync(shell, '#!/bin/sh\necho bye\nexit 7\n');
    chmodSync(shell, 0o755);
    const screen = new Screen(await open());
    await screen.untilExit();
    expect(screen.text).toContain('bye');
    expect(screen.exit?.message).toBe('The shell ended with code 7.');
  });

  test.each([1, 2, 3])('the last output of a fast program arrives before its exit (%i)', async () => {
    const line = 'x'.repeat(99);
    writeFileSync(join(root, 'fast.txt'), `${`${line}\n`.repeat(20_000)}THE END`);
    shell = join(root, 'fast');
    writeFileSync(shell, `#!/bin/sh\nexec cat ${join(root, 'fast.txt')}\n`);
    chmodSync(shell, 0o755);
    const screen = new Screen(await open());
    await screen.untilExit();
    expect(screen.text).toContain('THE END');
    expect(screen.text.split(line).length - 1).toBe(20_000);
  });

  test('case-X06: after the exit the screen is no alternate one and the cursor shows', async () => {
    const id = await open();
    const screen = new Screen(id);
    await service.write(id, 'printf \'\\033[?1049h\\033[?25lin\'"side"; exit\r');
    await screen.untilExit();
    const end = screen.text.slice(screen.text.lastIndexOf('inside'));
    expect(end).toContain('\u001b[?1049l');
    expect(end).toContain('\u001b[?25h');
  });

  test('a window that connects later gets the recent output first', async () => {
    const id = await open();
    const first = new Screen(id);
    await service.write(id, 'seq 1 100000; echo en""ded\r');
    await first.until('ended');
    const second = new Screen(id);
    expect(second.replays).toBe(1);
    expect(second.text.length).toBeGreaterThanOrEqual(200_000);
    expect(second.text).toContain('\n99999\r\n100000\r\nended');
    expect(() => new Screen('unknown')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('closing ends the shell and what runs in it, also what ignores the hang-up', async () => {
    const id = await open();
    const screen = new Screen(id);
    const lists = vi.fn();
    service.onChange(lists);
    await service.write(id, `sh -c 'trap "" HUP; echo pid=$$ shell=$PPID; while :; do sleep 1000; done'\r`);
    await screen.until(/pid=\d+ shell=\d+\r/);
    const pids = [/pid=(\d+)/, /shell=(\d+)/].map((pattern) => Number(pattern.exec(screen.text)?.[1]));
    expect(pids.map(isAlive)).toEqual([true, true]);
    await service.close(id);
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
    expect(service.list()).toEqual([]);
    expect(lists).toHaveBeenCalledWith([]);
    await service.close(id);
  });

  test.runIf(process.platform === 'linux').each([3, 5, 16])(
    'Ctrl-C reaches a program that has left %i kB unread',
    async (kilobytes) => {
      const id = await open();
      const screen = new Screen(id);
      await service.write(id, `stty -echo; sh -c 'echo re""ady; exec sleep 1000'\r`);
      await screen.until('ready');
      await service.write(id, 'echo too""late\r'.repeat((kilobytes * 1024) / 15));
      await service.write(id, '\u0003');
      const answers = async (): Promise<boolean> => {
        await service.write(id, '\recho al""ive\r');
        return screen.text.includes('alive');
      };
      await expect.poll(answers, { interval: 200, timeout: 30_000 }).toBe(true);
      expect(screen.text).not.toContain('toolate');
    },
  );

  test('a program that takes Ctrl-C as a character keeps what was typed to it', async () => {
    const id = await open();
    const screen = new Screen(id);
    await service.write(
      id,
      `stty raw -echo; echo re""ady; dd bs=1 count=4 2>/dev/null | od -An -c; stty sane\r`,
    );
    await screen.until('ready');
    await service.write(id, 'ab');
    await service.write(id, '\u0003');
    await service.write(id, 'c');
    await screen.until(/a\s+b\s+003\s+c/);
  });

  test('Ctrl-C ends a program that does not read, and drops what was pasted and not typed yet', async () => {
    const [id, other] = [await open(), await open()];
    const [screen, aside] = [new Screen(id), new Screen(other)];
    await service.write(id, `stty -echo; sh -c 'echo re""ady; exec sleep 1000'\r`);
    await screen.until('ready');
    await service.write(id, 'echo too""late\r'.repeat(100_000));
    await service.write(other, 'seq 1 50000; echo en""ded\r');
    await aside.until('ended');
    await service.write(id, '\u0003');
    // A shell throws away what is typed in the moment in which it takes the interruption in.
    const answers = async (): Promise<boolean> => {
      await service.write(id, '\recho al""ive\r');
      return screen.text.includes('alive');
    };
    await expect.poll(answers, { interval: 200, timeout: 30_000 }).toBe(true);
    expect(screen.text.split('toolate').length - 1).toBeLessThan(20_000);
  });
});

test('the shell is the setting, else the own one, else a usual one; a missing choice is not replaced', () => {
  const env = { PATH: '/bin:relative', SHELL: '/bin/sh' };
  expect(chooseShell('', env, 'linux')).toEqual({ path: '/bin/sh', args: [], problem: null });
  expect(chooseShell('', env, 'darwin').args).toEqual(['-l']);
  expect(chooseShell('', { PATH: '/bin', SHELL: '/gone' }, 'linux').path).toBe('/bin/bash');
  expect(chooseShell('bash', env, 'linux').path).toBe('/bin/bash');
  expect(chooseShell('./bash', env, 'linux').problem).toContain('"./bash" was not found');
});

test('what steers our own runtime does not reach the shell', () => {
  const env = { PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--x', npm_config_a: 'b', TMUX: 'x' };
  expect(terminalEnvironment(env, 'linux')).toEqual({
    PATH: '/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'Lathe',
  });
});
