import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProcessLedger } from '../process/ledger';
import { markedProcesses } from '../process/marks';
import { runProcess } from '../process/run-process';
import { createRunCommand } from '../tool/builtin/run-command';
import type { ToolContext } from '../tool/types';
import { openWorkspaceFiles } from '../workspace/workspace-files';
import { planConfinement, type Confinement } from './confine';

// Directly in the folder that confined commands see empty.
const temporary = process.platform === 'linux' ? '/tmp' : tmpdir();
const base = realpathSync(mkdtempSync(join(temporary, 'lathe-confine-')));
const home = join(base, 'home');
mkdirSync(home);
const ledger = createProcessLedger(home);

afterAll(async () => {
  await ledger.killAll(0);
  rmSync(base, { recursive: true, force: true });
});

const available = await Promise.all(
  ['bubblewrap', 'namespaces'].map(async (kind) => {
    const found = await planConfinement(base, { latheHome: home, kinds: [kind] });
    found?.close();
    return { kind, works: found !== null };
  }),
);

const NAMESPACES = ['--mount', '--net', '--pid', '--ipc', '--fork'];
const MOUNTS = ['sh', '-c', 'mount -t proc proc /proc && mount -t tmpfs tmpfs /mnt'];
const USERS = process.getuid?.() === 0 ? [[], ['--map-root-user']] : [['--map-current-user', '--keep-caps']];

/** Makes by hand, in each way there is, what a kind needs from the kernel. */
const BY_HAND: Record<string, string[][]> = {
  bubblewrap: [['bwrap', '--ro-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--unshare-net', 'true']],
  namespaces: USERS.map((user) => ['unshare', ...user, ...NAMESPACES, ...MOUNTS]),
};

describe.runIf(process.platform === 'linux').each(available)('sec-I01: $kind', ({ kind, works }) => {
  const possible = (BY_HAND[kind] ?? []).some(([name = '', ...args]) => spawnSync(name, args).status === 0);

  test('this machine can confine commands exactly if its kernel lets it', () => {
    expect(works).toBe(possible);
  });

  test.runIf(possible)(
    'a command proves that it is confined: the same one does all of it outside',
    async () => {
      const project = join(base, `${kind}-proof`);
      const beside = join(base, `${kind}-beside`);
      mkdirSync(project);
      const found = await planConfinement(project, { latheHome: home, kinds: [kind] });
      const own = (name: string): string => readlinkSync(`/proc/self/ns/${name}`);
      const same = ['mnt', 'net', 'pid', 'ipc'].map(
        (name) => `[ "$(readlink /proc/self/ns/${name})" = '${own(name)}' ] && echo ${name}`,
      );
      const free = 'grep -qx "NoNewPrivs:[[:space:]]*0" /proc/self/status && echo gain';
      const steps = [`echo x > '${beside}'`, `kill -0 ${process.pid} && echo saw`, ...same, free];
      const argv = ['/bin/bash', '-c', [...steps, 'echo x > inside && echo end'].join('\n')];
      const run = ([first = '', ...rest]: string[]) =>
        spawnSync(first, rest, { cwd: project, encoding: 'utf8' }).stdout;
      expect(run(argv)).toBe('saw\nmnt\nnet\npid\nipc\ngain\nend\n');
      expect(existsSync(beside)).toBe(true);
      rmSync(beside);
      expect(run(found?.wrapIn(project)(argv) ?? ['false'])).toBe('end\n');
      expect(existsSync(beside)).toBe(false);
      found?.close();
    },
  );

  test.runIf(!possible)('where it can not, the command is refused in exactly these words', async () => {
    await expectRefusal([kind]);
  });
});

test('sec-I01: without any way to confine it, a command is refused in exactly these words', async () => {
  await expectRefusal([]);
});

async function expectRefusal(kinds: string[]): Promise<void> {
  const tool = createRunCommand({
    ledger,
    confinement: (root) => planConfinement(root, { latheHome: home, kinds }),
  });
  const files = await openWorkspaceFiles(base);
  const context = { projectRoot: base, confinement: 'required', files, callId: 'refused' } as ToolContext;
  const run = tool.run({ command: 'touch CANARY' }, context, null);
  await expect(run).rejects.toMatchObject({
    code: 'unsupported',
    message: 'Commands must run confined, and this machine has no working sandbox.',
    hint: 'Install bubblewrap, or approve commands one by one.',
  });
  expect(existsSync(join(base, 'CANARY'))).toBe(false);
}

/** The process that holds the namespaces of a project, by the beginning of its path. */
function holderOf(part: string): number {
  const found = readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/comm`)) return false;
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return /^(bwrap|unshare)$/.test(name) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part);
  });
  if (found === undefined) throw new Error('nobody holds it');
  return Number(found);
}

const variants = available.flatMap((each) =>
  ['a new shell', 'a waiting shell'].map((shell) => ({ ...each, shell })),
);

describe.each(variants)('confined by $kind in $shell', ({ kind, works, shell }) => {
  const waits = shell === 'a waiting shell';
  const project = join(base, kind, shell, "a project's folder");
  let confinement: Confinement | null = null;
  let calls = 0;

  /** Nothing of this file may ever run outside: it fails instead. */
  function inside(): Confinement {
    if (confinement === null) throw new Error('not confined');
    return confinement;
  }

  async function run(command: string, cwd = project, timeoutMs = 10_000) {
    calls += 1;
    if (waits) inside().shells.prepare();
    return runProcess({
      command,
      cwd,
      callId: `${kind}-${calls}`,
      signal: new AbortController().signal,
      timeoutMs,
      textLimit: 12_000,
      logPath: join(home, 'out', `${kind}-${calls}.log`),
      onOutput: () => undefined,
      ledger,
      wrap: inside().wrapIn(cwd),
      ...(waits ? { shells: inside().shells } : {}),
    });
  }

  beforeAll(async () => {
    mkdirSync(join(project, '.git/hooks'), { recursive: true });
    mkdirSync(join(project, 'sub/.vscode'), { recursive: true });
    writeFileSync(join(project, '.git/config'), 'kept');
    writeFileSync(join(project, '.npmrc'), 'kept');
    writeFileSync(join(base, 'outside'), 'kept');
    writeFileSync(join(home, 'secret'), 'hidden');
    if (works)
      confinement = await planConfinement(project, { latheHome: home, kinds: [kind], runId: ledger.runId });
  });
  afterAll(() => confinement?.close());

  const confined = test.runIf(works);

  confined('sec-I01: the project can be written and commands run in their folder', async () => {
    expect(await run('echo two > a.txt && mkdir -p made && cat a.txt && pwd')).toMatchObject({
      exitCode: 0,
      text: `two\n${project}\n`,
    });
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('two\n');
    expect((await run('pwd', join(project, 'sub'))).text).toBe(`${project}/sub\n`);
  });

  confined('sec-I01: nothing outside can be written', async () => {
    const targets = ['/etc/lathe', '/usr/lathe', join(homedir(), '.bashrc-lathe'), '/lathe'];
    for (const path of targets) {
      expect((await run(`echo x > '${path}'`)).exitCode, path).not.toBe(0);
    }
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('kept');
    expect((await run('cd ..; cd ..; echo x > outside; echo x > ../../../outside')).ended).toBe('exit');
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('kept');
  });

  confined('sec-A13: protected files in the project stay as they are', async () => {
    const commands = [
      'echo x > .git/hooks/pre-commit',
      'echo x >> .git/config',
      'echo x > .npmrc',
      'rm .npmrc',
      'mv .npmrc b',
      'echo x > sub/.vscode/tasks.json',
    ];
    for (const command of commands) expect((await run(command)).exitCode, command).not.toBe(0);
    expect(readFileSync(join(project, '.git/config'), 'utf8')).toBe('kept');
    expect(readFileSync(join(project, '.npmrc'), 'utf8')).toBe('kept');
    expect(existsSync(join(project, '.git/hooks/pre-commit'))).toBe(false);
  });

  confined('sec-A24: a protected file that did not exist is disarmed after the command', async () => {
    await run('mkdir .husky && echo x > .husky/pre-commit; echo y > .envrc; echo ok > plain');
    expect((await inside().removePlanted())?.sort()).toEqual(['.envrc', '.husky']);
    expect(existsSync(join(project, '.husky'))).toBe(false);
    expect(readFileSync(join(project, '.husky.blocked/pre-commit'), 'utf8')).toBe('x\n');
    expect(existsSync(join(project, 'plain'))).toBe(true);
  });

  confined('the mounts cannot be undone from inside', async () => {
    const tries = [
      'mount -o remount,rw /',
      `umount '${project}/.npmrc'`,
      `unshare -Urm sh -c "mount -o remount,rw / && echo x > /lathe"`,
    ];
    for (const command of tries) await run(command);
    expect((await run('echo x > /lathe')).exitCode).not.toBe(0);
    expect(
      (await run(`unshare -Urm sh -c "umount '${project}/.npmrc'; echo x > '${project}/.npmrc'"`)).exitCode,
    ).not.toBe(0);
    expect(existsSync('/lathe')).toBe(false);
    expect(readFileSync(join(project, '.npmrc'), 'utf8')).toBe('kept');
  });

  confined('sec-C21: there is no network but loopback', async () => {
    const server = createServer((_request, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await run(`exec 3<>/dev/tcp/127.0.0.1/${port}`)).exitCode).not.toBe(0);
    expect((await run('exec 3<>/dev/tcp/1.1.1.1/53')).text).toMatch(/unreachable/);
    expect((await run('grep -c . /proc/net/dev; cat /proc/net/route')).text).not.toContain('eth0');
    server.close();
  });

  confined('secrets are hidden: our own data, other processes, temporary files', async () => {
    expect((await run(`cat '${home}/secret'`)).exitCode).not.toBe(0);
    expect((await run(`ls /proc | grep -c '^[0-9]*$'`)).text.trim().length).toBeLessThan(3);
    expect((await run(`kill -0 ${process.pid}`)).exitCode).not.toBe(0);
    expect(
      (await run('ls /tmp | grep -v lathe-confine; echo x > /tmp/private && cat /tmp/private')).text,
    ).toBe('x\n');
    expect(existsSync('/tmp/private')).toBe(false);
  });

  confined('a time limit ends the whole tree inside too', async () => {
    const outcome = await run('setsid sleep 77 & sleep 78', project, 300);
    expect(outcome.ended).toBe('timeout');
    expect(await markedProcesses(`LATHE_RUN=${ledger.runId}`)).toEqual([]);
  });

  confined('orphans that have ended leave nothing behind', async () => {
    for (let round = 0; round < 5; round += 1) await run('setsid true & setsid sh -c "exit 1" &');
    // What has no parent in there waits for somebody outside.
    const isOrphan = 'grep -q "^State:.Z" $each && grep -q "^PPid:.1$" $each';
    await vi.waitFor(async () => {
      const { text } = await run(`for each in /proc/[0-9]*/status; do ${isOrphan} && echo left; done; :`);
      expect(text).toBe('');
    }, 10_000);
  });

  confined('exit codes and signals come through', async () => {
    expect((await run('exit 3')).exitCode).toBe(3);
    expect((await run('kill -9 $$')).signal).toBe('SIGKILL');
  });

  confined('the shell that runs is the one that should', async () => {
    const { text } = await run('echo ${LATHE_CALL%%.*}; pwd');
    expect(text).toMatch(waits ? /^waiting\n/ : /^\w+-/);
    expect(text.split('\n')[1]).toBe(project);
  });

  confined(
    'what holds the sandbox is killed: the command is told so, the next one gets a new sandbox',
    async () => {
      const tool = createRunCommand({ ledger, confinement: () => Promise.resolve(inside()) });
      const files = await openWorkspaceFiles(project);
      let kill = (): void => undefined;
      const context = {
        ...{
          projectRoot: project,
          confinement: 'required',
          files,
          callId: 'held',
          outputDir: join(home, 'out'),
        },
        signal: new AbortController().signal,
        output: () => kill(),
      } as unknown as ToolContext;
      const holder = holderOf(join(base, kind, shell, 'a project'));
      kill = () => {
        kill = () => undefined;
        process.kill(holder, 'SIGKILL');
      };
      if (waits) inside().shells.prepare();
      const lost = await tool.run({ command: 'echo up; sleep 60' }, context, null);
      expect(lost.text).toBe(
        'up\n[killed by SIGKILL]\n[The sandbox of commands was killed and this command with it. The next command gets a new one.]',
      );
      for (const command of ['echo x > again && cat again', 'echo x > /lathe']) {
        if (waits) inside().shells.prepare();
        const next = await tool.run({ command }, context, null);
        expect(next.exitCode, next.text).toBe(command.includes('/lathe') ? 1 : 0);
      }
    },
  );
});
