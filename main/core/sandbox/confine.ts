import { accessSync, constants, readlinkSync, realpathSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError } from '../../../shared/error';
import { createShellPool, type ShellPool } from '../process/shell-pool';
import { startHolder, type Holder } from './holder';
import { currentMounts, mountScript } from './mount-script';
import { sandboxPaths, watchPlanted, type SandboxPaths } from './sandbox-paths';

/**
 * Commands of one project shut in: the project can be written apart from protected files, everything else is read-only,
 * secrets are hidden, /tmp is private, there is no network but loopback, and other processes can't be seen.
 */
export interface Confinement {
  /** For messages: "bubblewrap" or "namespaces". */
  readonly kind: string;
  /** Shells that wait inside, in the project's folder. */
  readonly shells: ShellPool;
  /**
   * Call before each command: makes the namespaces anew when somebody has killed what holds them.
   *
   * @throws AppError `unsupported` when that fails
   */
  ensure(): Promise<void>;
  /** After a command was killed: whether it was because the confinement ended, and with it everything inside. */
  hasEnded(): Promise<boolean>;
  /** Puts an argument list into the confinement, to start in `cwd` (absolute, inside the project). */
  wrapIn(cwd: string): (argv: string[]) => string[];
  /** Renames protected files that were made anew to `<name>.blocked`; returns their names. Call after each command. */
  removePlanted(): Promise<string[]>;
  /** Ends everything that still runs inside. */
  close(): void;
}

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];
const PROBE_MS = 5000;
/** How much later than the processes inside the holder itself may be seen to end. */
const ENDING_MS = 50;

function findProgram(name: string): string | null {
  for (const folder of FOLDERS) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Look in the next folder.
    }
  }
  return null;
}

/**
 * A /dev by hand: with bubblewrap's own --dev an ordinary user's sandbox gets a second user namespace inside the first,
 * and then nobody can join both.
 */
const DEV = [
  ...['--tmpfs', '/dev', '--tmpfs', '/dev/shm'],
  ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].flatMap((name) => {
    const device = `/dev/${name}`;
    return ['--dev-bind', device, device];
  }),
  ...['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
  ...['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
];

function bubblewrapArgv(bwrap: string, paths: SandboxPaths): string[] {
  const inside = (path: string): boolean => path.startsWith(`${paths.project}/`);
  const emptied = paths.emptied.filter((path) => path !== '/dev/shm');
  const empty = (list: string[]): string[] => list.flatMap((path) => ['--tmpfs', path]);
  return [
    bwrap,
    ...['--ro-bind', '/', '/', ...DEV, '--proc', '/proc'],
    ...empty(emptied.filter((path) => !inside(path))),
    ...['--bind', paths.project, paths.project],
    ...empty(emptied.filter(inside)),
    ...paths.protected.flatMap((path) => ['--ro-bind', path, path]),
    ...paths.blanked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--die-with-parent', '--chdir', paths.project],
    ...['--', '/bin/sh', '-c', 'echo ready; while read -r _; do :; done'],
  ];
}

function unshareArgv(unshare: string, paths: SandboxPaths, user: string[]): string[] {
  const namespaces = ['--mount', '--net', '--pid', '--ipc', '--fork', '--kill-child=KILL'];
  return [unshare, ...user, ...namespaces, '/bin/sh', '-c', mountScript(paths, currentMounts())];
}

/** Joins the holder's namespaces, then gives up every capability for good, so that no mount can be undone. */
function joinArgv(nsenter: string, setpriv: string, holder: Holder, cwd: string): string[] {
  const user = holder.ownUser ? [`--user=${holder.path('user')}`, '--preserve-credentials'] : [];
  const isRoot = process.getuid?.() === 0;
  const drop = isRoot ? ['--bounding-set=-all', '--inh-caps=-all'] : [];
  return [
    nsenter,
    ...user,
    `--mount=${holder.path('mnt')}`,
    `--net=${holder.path('net')}`,
    `--pid=${holder.path('pid')}`,
    `--ipc=${holder.path('ipc')}`,
    `--wdns=${cwd}`,
    '--',
    ...[setpriv, ...drop, '--no-new-privs', '--'],
  ];
}

const run = promisify(execFile);

/** Only looks: were the confinement broken, this would run outside and must not change anything there. */
const PROBE =
  '[ ! -w / ] && [ ! -w /etc ] && [ -w . ] && grep -q "^CapEff:[[:space:]]*0*$" /proc/self/status && ' +
  'grep -q "^NoNewPrivs:[[:space:]]*1$" /proc/self/status && [ "$(readlink /proc/self/ns/net)" != "$0" ]';

/** Really runs something inside and looks around there. */
async function works(join: string[], cwd: string): Promise<boolean> {
  const [program = '', ...args] = join;
  const network = readlinkSync('/proc/self/ns/net');
  try {
    await run(program, [...args, '/bin/sh', '-c', PROBE, network], { cwd, timeout: PROBE_MS });
    return true;
  } catch {
    return false;
  }
}

interface Candidate {
  kind: string;
  argv: string[];
}

/** Ways to make the namespaces, best first. */
function candidates(paths: SandboxPaths): Candidate[] {
  const bwrap = findProgram('bwrap');
  const unshare = findProgram('unshare');
  const users =
    process.getuid?.() === 0 ? [[], ['--map-root-user']] : [['--map-current-user', '--keep-caps']];
  return [
    ...(bwrap === null ? [] : [{ kind: 'bubblewrap', argv: bubblewrapArgv(bwrap, paths) }]),
    ...(unshare === null
      ? []
      : users.map((user) => ({ kind: 'namespaces', argv: unshareArgv(unshare, paths, user) }))),
  ];
}

export interface ConfinementOptions {
  /** LATHE_HOME: hidden from commands. */
  latheHome: string;
  /** Id of the ledger's run, for the mark of shells that wait inside. */
  runId?: string;
  /** Only these kinds; for tests. */
  kinds?: readonly string[];
}

/** Namespaces that are held, and how to run something inside. */
interface Held {
  kind: string;
  holder: Holder;
  /** Goes in front of an argument list. */
  join(cwd: string): string[];
}

/** False where it is plain without a try that nothing can be confined. */
export function mayConfine(): boolean {
  const has = (name: string): boolean => findProgram(name) !== null;
  return process.platform === 'linux' && has('nsenter') && has('setpriv') && (has('bwrap') || has('unshare'));
}

/** Tries the candidates; one counts only after a probe really ran inside. */
async function hold(projectRoot: string, options: ConfinementOptions): Promise<Held | null> {
  const nsenter = findProgram('nsenter');
  const setpriv = findProgram('setpriv');
  if (nsenter === null || setpriv === null || !mayConfine()) return null;
  const paths = sandboxPaths(projectRoot, options.latheHome);
  for (const { kind, argv } of candidates(paths)) {
    if (options.kinds?.includes(kind) === false) continue;
    const holder = await startHolder(argv);
    if (holder === null) continue;
    const join = (cwd: string): string[] => joinArgv(nsenter, setpriv, holder, cwd);
    if (await works(join(paths.project), paths.project)) return { kind, holder, join };
    holder.close();
  }
  return null;
}

/**
 * Prepares the confinement of a project: namespaces are made once and held; each command joins them, which costs about 3 ms
 * unless a shell waits inside already. Null where no way works (no Linux, namespaces forbidden): then nothing may run that
 * must be confined.
 */
export async function planConfinement(
  projectRoot: string,
  options: ConfinementOptions,
): Promise<Confinement | null> {
  const first = await hold(projectRoot, options);
  if (first === null) return null;
  const project = realpathSync(projectRoot);
  const planted = watchPlanted(project);
  const { kind } = first;
  let held = first;
  const wrapIn = (cwd: string) => (command: string[]) => [...held.join(cwd), ...command];
  const { runId } = options;
  const shells = createShellPool({
    folder: project,
    wrap: wrapIn(project),
    ...(runId === undefined ? {} : { runId }),
  });
  return {
    kind,
    shells,
    async ensure() {
      if (held.holder.isAlive()) return;
      held.holder.close();
      held = (await hold(projectRoot, { ...options, kinds: [kind] })) ?? gone();
    },
    async hasEnded() {
      // The kernel kills what is inside first and the holder last.
      await Promise.race([held.holder.ended, delay(ENDING_MS)]);
      return !held.holder.isAlive();
    },
    wrapIn,
    removePlanted: () => Promise.resolve(planted.disarm()),
    close() {
      shells.close();
      held.holder.close();
    },
  };
}

function gone(): never {
  throw new AppError('unsupported', 'The sandbox of commands has ended and can’t be made anew.', {
    hint: 'Start the program again, or approve commands one by one.',
  });
}
