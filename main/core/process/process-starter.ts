import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { FifoStock } from './fifo-stock';
import { ReportedProcess, type StartedProcess } from './reported-process';
import { holdChild } from './running-command';
import { shellLineWord, shellWord } from './shell-word';

/** bash alone tells by its messages which of its children a signal has ended. */
const BASH = '/bin/bash';
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/**
 * Reads a line per process: `s <told> <out> <err> <in> <report> <folder> <program> <argument> …`, the four in the middle
 * being open files of its parent; without <told> being 1 the process gets the first two only. A shell in between starts the
 * process and waits for it. It reports \2<process>, then, unless it ended well, a message of bash, then \3<status>. $nl stands
 * for what a line can't hold. With -m every process leads its own group and its end is described; with -C nothing but a pipe
 * is written to, should an open file be another one by now. wait also returns at a stop, so it is asked again then; with -f
 * bash 5.2 may never return from a process that ended before. The shell in between opens the output, so that it was open
 * once, and ends, before a process is told of. All of it ends with its parent.
 */
const SCRIPT = `[[ \${BASH_VERSINFO[0]} -ge 5 ]] || exit
set -mC
nl='
'
s() {
  jobs >/dev/null
  (
    set -m
    exec 5>"$fds/$2" 6>"$fds/$3"
    if [[ $1 = 1 ]]; then
      (cd -- "$6" && exec "\${@:7}") </dev/null >&5 2>&6 3<"$fds/$4" 4>"$fds/$5" 5>&- 6>&- &
    else
      (cd -- "$6" && exec "\${@:7}") </dev/null >&5 2>&6 5>&- 6>&- &
    fi
    pid=$!
    exec 5>&- 6>&-
    printf '\\2%s\\n' "$pid"
    while wait "$pid"; status=$?; kill -0 "$pid" 2>/dev/null; do
      exec 7<> <(:)
      read -rt 0.2 -u 7
      exec 7>&-
    done
    printf '\\3%s\\n' "$status"
  ) >"$fds/$5" 2>&1 &
}
while IFS= read -r line; do eval "$line"; done
exec rm -rf -- "$folder"`;

/** Bytes of a line; a longer one takes the shell longer to read than a process takes to start from here. */
const MAX_LINE_BYTES = 48 * 1024;
/** After the helper's end: until what it has started last has opened its pipes, or will not any more. */
const LAST_START_MS = 1000;

export interface ProcessStart {
  /** The program, absolute, and its arguments; without NUL characters. */
  argv: readonly string[];
  /** Absolute. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Whether it may read descriptor 3 and write {@link SAID} to 4. Then it must close both before it runs foreign code. */
  told: boolean;
}

/**
 * A small shell that starts processes for this one. Starting one from here means copying this process's page tables: 4 ms
 * for every 100 MB, during which nothing else moves. The shell has next to none. Only Linux starts processes that slowly,
 * and only there can a process open another one's pipes, so only there is it used.
 *
 * Their output is a pipe, while Node's own is a socket, which a command can't open as /dev/stdout or /dev/stderr.
 */
export class ProcessStarter {
  private readonly processes = new Set<ReportedProcess>();
  private usable = true;
  private readonly standing = Promise.withResolvers<void>();

  private constructor(
    private readonly shell: ChildProcess,
    private readonly stock: FifoStock,
  ) {
    const end = (): void => this.end();
    shell.on('error', end).on('exit', end);
    shell.stdin?.on('error', end);
    shell.stdout?.on('data', () => {
      stock.ready();
      this.standing.resolve();
    });
    holdChild(shell, false);
    stock.refill();
  }

  /** @returns null where it can't be had */
  static start(): ProcessStarter | null {
    if (process.platform !== 'linux') return null;
    let shell: ChildProcess | null = null;
    try {
      const stock = new FifoStock((paths) => {
        shell?.stdin?.write(`mkfifo -m 600 -- ${paths.map(shellLineWord).join(' ')} && echo made\n`);
      });
      const known = `fds=/proc/${process.pid}/fd folder=${shellWord(stock.folder)}\n`;
      shell = spawn(BASH, ['--noprofile', '--norc', '-c', known + SCRIPT], {
        ...{ cwd: '/', env: ENVIRONMENT, detached: true },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      return new ProcessStarter(shell, stock);
    } catch {
      return null;
    }
  }

  get isUsable(): boolean {
    return this.usable;
  }

  /** Whether it would start one at this moment. */
  get canStart(): boolean {
    return this.usable && this.stock.hasSome;
  }

  /** Settles when it can start processes, or never will. */
  get ready(): Promise<void> {
    return this.standing.promise;
  }

  /** @returns null when it can't at this moment, the line would be too long, or there is no such program */
  start({ argv, folder, environment, told }: ProcessStart): StartedProcess | null {
    if (!this.usable || !isProgram(argv[0] ?? '')) return null;
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const words = [folder, 'env', '-i', '--', ...variables, ...argv].map(shellLineWord).join(' ');
    const ends = words.length > MAX_LINE_BYTES ? null : this.stock.take();
    if (ends === null) return null;
    const started = new ReportedProcess(ends);
    this.processes.add(started);
    void started.exit.then(() => this.processes.delete(started));
    this.shell.stdin?.write(`s ${told ? 1 : 0} ${ends.out} ${ends.err} ${ends.in} ${ends.report} ${words}\n`);
    return started;
  }

  close(): void {
    this.shell.stdin?.end();
    this.end();
  }

  private end(): void {
    this.standing.resolve();
    if (!this.usable) return;
    this.usable = false;
    this.stock.close();
    const left = [...this.processes];
    setTimeout(() => {
      for (const each of left) each.lost();
    }, LAST_START_MS).unref();
  }
}

/** A shell would report this only by an exit code, which the program could have too. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** After so many that ended there is something that ends them. */
const MAX_STARTED = 4;

let shared: ProcessStarter | null = null;
let started = 0;

/** The one of this process; the first call starts it, and until it stands it starts nothing. Null where it can't be had. */
export function processStarter(): ProcessStarter | null {
  if (shared?.isUsable === true) return shared;
  started += 1;
  shared = started > MAX_STARTED ? null : ProcessStarter.start();
  return shared;
}

/** The same without starting it. */
export const standingStarter = (): ProcessStarter | null => shared;
