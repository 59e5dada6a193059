import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants as fileAccess } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { FifoStock, type PipeEnds } from './fifo-stock';
import { processRuns } from './process-runs';
import { holdChild, type ProcessEnd } from './running-command';
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
/** bash reports a process that a signal ended as this plus the signal's number. */
const SIGNALLED = 128;
/** Of what is said about a process; more than that is not needed to know its end. */
const KEPT_CHARS = 4096;
/** How often is looked whether a process is gone that nobody reports about any more. */
const LOOK_MS = 50;
/** After the helper's end: until what it has started last has opened its pipes, or will not any more. */
const LAST_START_MS = 1000;

/** What a process of the {@link ProcessStarter} has said on descriptor 4 before it closed it. */
export const SAID = '\u0001';

export interface ProcessStart {
  /** The program, absolute, and its arguments; without NUL characters. */
  argv: readonly string[];
  /** Absolute. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Whether it may read descriptor 3 and write {@link SAID} to 4. Then it must close both before it runs foreign code. */
  told: boolean;
}

/** A process in a group of its own, with /dev/null as input. */
export interface StartedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly control: Writable;
  /** Whether it wrote {@link SAID}: false once it can't do so any more. */
  readonly said: Promise<boolean>;
  /** Null when it could not be started. */
  readonly pid: Promise<number | null>;
  readonly exit: Promise<ProcessEnd>;
  isAlive(): boolean;
  /** Ends its group, as soon as it is known. */
  kill(): void;
  /** Gives up a process of which nothing was heard. */
  lost(): void;
  /** Closes its pipes; to be called when it has ended, or they were read. */
  letGo(): void;
  hold(holds: boolean): void;
}

/** What is heard of one process. */
class Reported implements StartedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly control: Writable;
  private readonly sockets: readonly Socket[];
  private readonly saying = Promise.withResolvers<boolean>();
  private readonly starting = Promise.withResolvers<number | null>();
  private readonly ending = Promise.withResolvers<ProcessEnd>();
  readonly said = this.saying.promise;
  readonly pid = this.starting.promise;
  readonly exit = this.ending.promise;
  private known: number | null = null;
  private text = '';
  private ended = false;
  private killed = false;

  constructor(ends: PipeEnds) {
    const [out, err, control, report] = [
      socketOf(ends.out, 'readable'),
      socketOf(ends.err, 'readable'),
      socketOf(ends.in, 'writable'),
      socketOf(ends.report, 'readable'),
    ];
    [this.stdout, this.stderr, this.control] = [out, err, control];
    this.sockets = [out, err, control, report];
    report.setEncoding('latin1').on('data', (text: string) => this.heard(text));
    report.once('close', () => void this.outlived());
    void this.exit.then(() => [control, report].forEach((each) => each.destroy()));
  }

  hold(holds: boolean): void {
    for (const each of this.sockets) {
      if (holds) each.ref();
      else each.unref();
    }
  }

  isAlive(): boolean {
    return !this.ended;
  }

  kill(): void {
    this.killed = true;
    if (this.known !== null && !this.ended) killGroup(this.known);
  }

  /** Nothing will be heard of it if nothing was until now. */
  lost(): void {
    if (this.known === null) this.settle({ code: null, signal: null });
  }

  /** Pipes that nobody will read. */
  letGo(): void {
    for (const each of this.sockets) each.destroy();
  }

  private heard(text: string): void {
    this.text = (this.text + text).slice(-KEPT_CHARS);
    const pid = /\u0002(\d+)\n/.exec(this.text)?.[1];
    if (pid !== undefined && this.known === null) {
      this.known = Number(pid);
      this.starting.resolve(this.known);
      if (this.killed) killGroup(this.known);
    }
    if (this.text.includes(SAID)) this.saying.resolve(true);
    const [, message = '', status] = /\n([^]*)\u0003(\d+)\n/.exec(this.text) ?? [];
    if (status !== undefined) this.settle(endOf(Number(status), message.replaceAll(SAID, '')));
  }

  private settle(end: ProcessEnd): void {
    if (this.ended) return;
    this.ended = true;
    this.starting.resolve(null);
    this.saying.resolve(false);
    this.ending.resolve(end);
  }

  /** Somebody has ended the shell that waits for it: it may go on. */
  private async outlived(): Promise<void> {
    while (!this.ended && this.known !== null && processRuns(this.known))
      await delay(LOOK_MS, undefined, { ref: false });
    this.settle({ code: null, signal: null });
  }
}

/**
 * A small shell that starts processes for this one. Starting one from here means copying this process's page tables: 4 ms
 * for every 100 MB, during which nothing else moves. The shell has next to none. Only Linux starts processes that slowly,
 * and only there can a process open another one's pipes, so only there is it used.
 *
 * Their output is a pipe, while Node's own is a socket, which a command can't open as /dev/stdout or /dev/stderr.
 */
export class ProcessStarter {
  private readonly processes = new Set<Reported>();
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
    const started = new Reported(ends);
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

const socketOf = (fd: number, kind: 'readable' | 'writable'): Socket => {
  const socket = new Socket({ fd, readable: kind === 'readable', writable: kind === 'writable' });
  // A broken pipe ends it; 'close' follows.
  return socket.on('error', () => undefined);
};

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** What bash says of ends that no signal caused, and of stops. */
const NO_SIGNAL = /\b(?:Exit \d+|Done|Stopped|Running)\b/;

/** @param message what bash said about the end: one that a signal caused has the status of an exit with that number */
function endOf(status: number, message: string): ProcessEnd {
  const told = message.split('\n').some((line) => line.trim() !== '' && !NO_SIGNAL.test(line));
  const signal = told ? SIGNALS.get(status - SIGNALLED) : undefined;
  return signal === undefined
    ? { code: status, signal: null }
    : { code: null, signal: signal as NodeJS.Signals };
}

/** A shell would report this only by an exit code, which the program could have too. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, fileAccess.X_OK);
    return true;
  } catch {
    return false;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
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
