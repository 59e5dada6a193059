import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ending, type RunningCommand } from './running-command';
import { shellArgv } from './shell';
import { asTailCall } from './tail-call';

/** A shell that was started before its command was known. It runs one command and is never used again. */
export interface WaitingShell {
  readonly ended: Promise<unknown>;
  /**
   * Lets it run `command` in `cwd` (absolute).
   *
   * @returns null when it did not begin, for whatever reason: nothing of the command has run then
   */
  run(command: string, cwd: string): Promise<RunningCommand | null>;
  kill(): void;
}

export interface WaitingShellStart {
  /** Where it waits, absolute. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** "NAME=value" out of the environment, by which its tree is found. */
  mark: string;
  /** Replaces the argument list, to start it confined. */
  wrap?: (argv: string[]) => string[];
}

/** A shell answers within microseconds; one that doesn't for this long was stopped by somebody. */
const BEGIN_MS = 5000;

/**
 * Reads folder, length and text of a command from descriptor 3, says that it begins, closes the descriptor and becomes the
 * shell of that command. It does not begin when its own folder was removed meanwhile, even if there is a new one. The only
 * variable it uses is one that every `bash -c` has. It is one line, so that messages about the command count its lines
 * from 1. When its input ends – its parent has ended – it ends too.
 */
const SCRIPT = [
  'IFS= read -rd "" -u3 BASH_EXECUTION_STRING || exit',
  '[[ . -ef $BASH_EXECUTION_STRING ]] || { [[ . -ef $PWD ]] && cd -P -- "$BASH_EXECUTION_STRING" && unset OLDPWD; } || exit',
  'IFS= read -rd "" -u3 BASH_EXECUTION_STRING || exit',
  'IFS= LC_ALL=C read -rN "$BASH_EXECUTION_STRING" -u3 BASH_EXECUTION_STRING || exit',
  'SECONDS=0',
  'printf . >&3 || exit',
  'exec 3>&-',
  'eval "$BASH_EXECUTION_STRING"',
].join('; ');

function holdsProcess(child: ChildProcess, holds: boolean): void {
  const streams = child.stdio.filter((each) => each instanceof Socket);
  for (const each of [child, ...streams]) {
    if (holds) each.ref();
    else each.unref();
  }
}

function message(command: string, cwd: string): string {
  const text = asTailCall(command);
  return `${cwd}\0${Buffer.byteLength(text)}\0${text}`;
}

interface Begin {
  /** Settles when the shell said that it begins, or never will. */
  settled: Promise<void>;
  /** Whether the command may have had an effect. */
  hasBegun(): boolean;
}

/**
 * Only the end of the stream proves that a shell did not begin: that it ended is often known before its last word is read.
 */
function watchBegin(control: Duplex): Begin {
  let begun = false;
  const settled = new Promise<void>((resolve) => {
    control.on('data', () => {
      begun = true;
      resolve();
    });
    control.once('close', resolve);
  });
  control.on('error', () => undefined);
  return { settled, hasBegun: () => begun };
}

function within(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Starts a shell that waits; null where it can't be started. While it waits it does not keep this process alive. */
export function startWaitingShell(start: WaitingShellStart): WaitingShell | null {
  const child = spawnWaiting(start);
  const { pid } = child;
  const control = child.stdio[3] as Duplex | undefined;
  child.on('error', () => undefined);
  if (pid === undefined || control === undefined) return null;
  const exit = ending(child);
  const begin = watchBegin(control);
  const leaderAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  holdsProcess(child, false);
  return {
    ended: exit,
    async run(command, cwd) {
      if (!leaderAlive()) return null;
      holdsProcess(child, true);
      control.write(message(command, cwd));
      await within(BEGIN_MS, begin.settled);
      if (!begin.hasBegun()) {
        killGroup(pid);
        await begin.settled;
      }
      control.destroy();
      return begin.hasBegun() ? { child, exit, pid, mark: start.mark, leaderAlive } : null;
    },
    kill() {
      control.destroy();
      if (leaderAlive()) killGroup(pid);
    },
  };
}

function spawnWaiting({ folder, environment, wrap }: WaitingShellStart): ChildProcess {
  const plain = shellArgv(SCRIPT);
  const [program = '', ...args] = wrap?.(plain) ?? plain;
  return spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
