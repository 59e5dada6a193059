import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProcessLedger } from '../process/ledger';
import { markedProcesses } from '../process/marks';
import { runProcess } from '../process/run-process';
import { planConfinement, type Confinement } from './confine';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-confine-')));
const home = join(base, 'home');
mkdirSync(home);
const ledger = createProcessLedger(home);

afterAll(() => ledger.killAll(0));

const available = await Promise.all(
  ['bubblewrap', 'namespaces'].map(async (kind) => {
    const found = await planConfinement(base, { latheHome: home, kinds: [kind] });
    found?.close();
    return { kind, works: found !== null };
  }),
);

test.runIf(process.platform === 'linux')(
  'sec-I01: this machine can confine commands, or says that it cannot',
  () => {
    expect(available.map((each) => typeof each.works)).toEqual(['boolean', 'boolean']);
  },
);

describe.each(available)('confined by $kind', ({ kind, works }) => {
  const project = join(base, kind, "a project's folder");
  let confinement: Confinement | null = null;
  let calls = 0;

  /** Nothing of this file may ever run outside: it fails instead. */
  function inside(): Confinement {
    if (confinement === null) throw new Error('not confined');
    return confinement;
  }

  async function run(command: string, cwd = project, timeoutMs = 10_000) {
    calls += 1;
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
    });
  }

  beforeAll(async () => {
    mkdirSync(join(project, '.git/hooks'), { recursive: true });
    mkdirSync(join(project, 'sub/.vscode'), { recursive: true });
    writeFileSync(join(project, '.git/config'), 'kept');
    writeFileSync(join(project, '.npmrc'), 'kept');
    writeFileSync(join(base, 'outside'), 'kept');
    writeFileSync(join(home, 'secret'), 'hidden');
    if (works) confinement = await planConfinement(project, { latheHome: home, kinds: [kind] });
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
    expect((await run('cd ..; cd ..; echo x > outside; echo x > ../../outside')).ended).toBe('exit');
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
    expect(await markedProcesses(`LATHE_CALL=${kind}-${calls}.`)).toEqual([]);
  });

  confined('exit codes and signals come through', async () => {
    expect((await run('exit 3')).exitCode).toBe(3);
    expect((await run('kill -9 $$')).signal).toBe('SIGKILL');
  });
});
