import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '../../../shared/error';
import { callMark, marksOf } from './call-mark';
import { commandEnvironment } from './environment';
import { processStarter } from './process-starter';
import { asCommand, ending, holdChild, type RunningCommand } from './running-command';
import { shellArgv } from './shell';
import { within } from './within';
import type { ShellPool } from './shell-pool';

export interface CommandStart {
  command: string;
  /** Absolute folder. */
  cwd: string;
  callId: string;
  /** Id of the ledger's run; marks the process for the next start, should this one die. */
  runId?: string;
  /** Replaces the argument list, to run it confined. */
  wrap?: (argv: string[]) => string[];
  /** Shells made ready for such commands, confined in the same way as `wrap` does it. */
  shells?: ShellPool;
}

function startFailure(error: unknown, cwd: string): AppError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'E2BIG') {
    return new AppError(
      'bad_argument',
      'The command or its environment is too long for this system (E2BIG).',
      {
        hint: 'Write the long part to a file and let the command read it.',
        audience: 'model',
        cause: error,
      },
    );
  }
  return new AppError('io_failed', `The command could not be started in ${cwd} (${code || String(error)}).`, {
    hint:
      code === 'EAGAIN' || code === 'EMFILE' ? 'Too much is running at once: try again.' : 'Check the shell.',
    cause: error,
  });
}

/** @throws AppError `not_found` when the folder is gone (case-S13) */
async function checkFolder(cwd: string): Promise<void> {
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new AppError('not_found', `The folder ${cwd} does not exist any more, so no command can run in it.`, {
    hint: 'Leave out cwd to run in the project folder.',
    audience: 'model',
  });
}

function started(child: ChildProcess, cwd: string): Promise<number> {
  if (child.pid !== undefined) return Promise.resolve(child.pid);
  return new Promise((_resolve, reject) => {
    child.once('error', (error) => {
      reject(startFailure(error, cwd));
    });
  });
}

function spawnShell(start: CommandStart, mark: string): ChildProcessByStdio<null, Readable, Readable> {
  const plain = shellArgv(start.command);
  const [program = '', ...args] = start.wrap?.(plain) ?? plain;
  try {
    return spawn(program, args, {
      cwd: start.cwd,
      env: commandEnvironment(process.env, marksOf(mark, start.runId)),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    throw startFailure(error, start.cwd);
  }
}

/** A helper that does not answer for this long was stopped by somebody. */
const HELPER_MS = 5000;

/**
 * Starts it by the helper: what it prints goes into a pipe then, which a command can open by name.
 *
 * @returns null when there is no helper, or the command is too long for it: this process knows how long one may be
 * @throws AppError `io_failed` when the helper could not start it
 */
async function startByHelper(start: CommandStart, mark: string): Promise<RunningCommand | null> {
  const starter = processStarter();
  if (starter === null) return null;
  await within(HELPER_MS, starter.ready);
  const plain = shellArgv(start.command);
  const started = starter.start({
    argv: start.wrap?.(plain) ?? plain,
    folder: start.cwd,
    environment: commandEnvironment(process.env, marksOf(mark, start.runId)),
    told: false,
  });
  if (started === null) return null;
  const pid = await within(HELPER_MS, started.pid);
  if (pid !== null) return asCommand(started, pid, mark);
  started.lost();
  started.letGo();
  throw startFailure({ code: 'EAGAIN' }, start.cwd);
}

/** Starts it by this process. @throws AppError as {@link spawnCommand} */
async function startHere(start: CommandStart, mark: string): Promise<RunningCommand> {
  const child = spawnShell(start, mark);
  const exit = ending(child);
  const pid = await started(child, start.cwd);
  const { stdout, stderr } = child;
  return {
    ...{ stdout, stderr, exit, pid, mark },
    leaderAlive: () => child.exitCode === null && child.signalCode === null,
    hold: (holds) => holdChild(child, holds),
  };
}

/**
 * Starts a shell command in its own process group with /dev/null as input and pipes as output. Its environment carries
 * `LATHE_CALL=<call id>.<random>`, by which the whole tree is found again; a shell out of `shells` has a mark of its own there.
 *
 * @throws AppError `not_found` (no such folder), `bad_argument` (too long), `io_failed`, `unsupported` (no shell)
 */
export async function spawnCommand(start: CommandStart): Promise<RunningCommand> {
  // It does not begin in a folder that is gone.
  const ready = await start.shells?.take(start.command, start.cwd);
  if (ready) return ready;
  await checkFolder(start.cwd);
  const mark = callMark(start.callId);
  return (await startByHelper(start, mark)) ?? (await startHere(start, mark));
}
