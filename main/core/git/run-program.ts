import { spawn, type ChildProcess } from 'node:child_process';
import { AppError } from '../../../shared/error';

export interface ProgramRun {
  /** Absolute path: nothing is looked up. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  timeLimitMs: number;
  /** Gets stdout as it comes; returning false ends the program, which counts as success (`ended` is then `early`). */
  onStdout(chunk: Buffer): boolean;
}

export interface ProgramEnd {
  ended: 'exit' | 'early';
  /** −1 when a signal ended it. */
  exitCode: number;
  /** The first {@link MAX_STDERR_CHARS} characters. */
  stderr: string;
}

export const MAX_STDERR_CHARS = 10_000;

/**
 * Runs a helper program of ours (git, ripgrep) without a shell and without stdin, and ends it with everything it started
 * on abort and at the time limit. Commands of the model are another matter: they stream, survive and are confined elsewhere.
 *
 * @throws AppError `cancelled`, `timed_out`, `io_failed` when it can't be started
 */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    if (run.signal.aborted) {
      reject(cancelled(run));
      return;
    }
    const child = spawn(run.program, run.args, {
      cwd: run.cwd,
      env: run.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      // Its own process group, so that one signal reaches its children too.
      detached: process.platform !== 'win32',
    });
    let stderr = '';
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
      settle();
    };
    const kill = (settle: () => void): void => {
      killGroup(child);
      child.stdout.destroy();
      child.stderr.destroy();
      finish(settle);
    };
    const onAbort = (): void => {
      kill(() => {
        reject(cancelled(run));
      });
    };
    const timer = setTimeout(() => {
      kill(() => {
        reject(new AppError('timed_out', `${nameOf(run)} took longer than ${run.timeLimitMs / 1000} s.`));
      });
    }, run.timeLimitMs);
    run.signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (run.onStdout(chunk)) return;
      kill(() => {
        resolve({ ended: 'early', exitCode: -1, stderr });
      });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR_CHARS) stderr += chunk.toString('utf8');
    });
    child.once('error', (cause) => {
      finish(() => {
        reject(new AppError('io_failed', `${nameOf(run)} could not be started: ${cause.message}`, { cause }));
      });
    });
    child.once('close', (code) => {
      finish(() => {
        resolve({ ended: 'exit', exitCode: code ?? -1, stderr });
      });
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

const nameOf = (run: ProgramRun): string => run.program.replace(/^.*[\\/]/, '');
const cancelled = (run: ProgramRun): AppError =>
  new AppError('cancelled', `${nameOf(run)} was stopped.`, { audience: 'log' });
