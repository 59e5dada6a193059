import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { keepUnread } from './keep-unread';
import { killGroup } from './kill-tree';
import type { ProcessStarter } from './process-starter';
import { SAID, type StartedProcess } from './reported-process';
import { asCommand, ending, holdChild, type RunningCommand } from './running-command';
import { shellArgv } from './shell';
import { asTailCall } from './tail-call';
import { within } from './within';

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
 * Reads folder, length and text of a command from descriptor 3, says on 4 that it begins, closes both and becomes the
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
  String.raw`printf "\1" >&4 || exit`,
  'exec 3>&- 4>&-',
  'eval "$BASH_EXECUTION_STRING"',
].join('; ');

function message(command: string, cwd: string): string {
  const text = asTailCall(command);
  return `${cwd}\0${Buffer.byteLength(text)}\0${text}`;
}

/**
 * Starts a shell that waits; null where it can't be started. While it waits it does not keep this process alive.
 *
 * @param starter starts it if it can, this process itself otherwise
 */
export function startWaitingShell(
  start: WaitingShellStart,
  starter: ProcessStarter | null,
): WaitingShell | null {
  const plain = shellArgv(SCRIPT);
  const argv = start.wrap?.(plain) ?? plain;
  const { folder, environment, mark } = start;
  const shell = starter?.start({ argv, folder, environment, told: true }) ?? startHere(argv, start);
  if (shell === null) return null;
  shell.hold(false);
  return {
    ended: shell.exit,
    async run(command, cwd) {
      if (!shell.isAlive()) return null;
      shell.hold(true);
      shell.control.write(message(command, cwd));
      // Null: it was stopped by somebody, and may still begin until it is ended.
      const said = (await within(BEGIN_MS, shell.said)) ?? (await afterKill(shell));
      shell.control.destroy();
      const pid = said ? await shell.pid : null;
      if (pid === null) {
        shell.letGo();
        return null;
      }
      return asCommand(shell, pid, mark);
    },
    kill() {
      shell.kill();
      void shell.exit.then(() => shell.letGo());
    },
  };
}

/** Whether it had begun after all. */
async function afterKill(shell: StartedProcess): Promise<boolean> {
  shell.kill();
  const said = await within(BEGIN_MS, shell.said);
  // Where nothing at all could be started, nothing will begin.
  if (said === null) shell.lost();
  return said ?? false;
}

/** The same by this process itself. */
function startHere(argv: string[], { folder, environment }: WaitingShellStart): StartedProcess | null {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    ...{ cwd: folder, env: environment, detached: true, windowsHide: true },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.on('error', () => undefined);
  const { pid, stdout, stderr } = child;
  const [control, report] = [child.stdio[3] as Duplex | undefined, child.stdio[4] as Duplex | undefined];
  if (pid === undefined || !stdout || !stderr || !control || !report) return null;
  const release = keepUnread([stdout, stderr]);
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  for (const each of [control, report]) each.on('error', () => undefined);
  // Only the end of the stream proves that a shell did not begin: that it ended is often known before its last word is read.
  const said = new Promise<boolean>((resolve) => {
    report.on('data', (chunk: Buffer) => resolve(chunk.includes(SAID)));
    report.once('close', () => resolve(false));
  });
  void said.then(release);
  return {
    ...{ stdout, stderr, control, said, isAlive },
    pid: Promise.resolve(pid),
    exit: ending(child),
    kill() {
      control.destroy();
      if (isAlive()) killGroup(pid);
    },
    lost: () => undefined,
    letGo: () => {
      for (const each of [stdout, stderr, control, report]) each.destroy();
    },
    hold: (holds) => holdChild(child, holds),
  };
}
