import { AppError } from '../../../shared/error';
import type { Launched, ProgramLauncher } from './program-launcher';
import { MAX_STDERR_CHARS, runProgram, type ProgramEnd, type ProgramRun } from './run-program';

/** How much of the output is handed on at a time. */
const CHUNK_BYTES = 256 * 1024;
/** A shell's exit codes for a program that it could not start. */
const NOT_STARTED = new Set([126, 127]);

/**
 * As {@link runProgram}, started by `launcher` in its environment. Output is handed on when the program has ended. Where the
 * launcher can't be used, the program is started directly.
 */
export async function runLaunched(run: ProgramRun, launcher: ProgramLauncher | null): Promise<ProgramEnd> {
  const argv = [run.program, ...run.args];
  const possible = launcher?.usable === true && !argv.some((word) => word.includes('\0'));
  if (!possible || run.signal.aborted) return await runProgram(run);
  let launched: Launched;
  try {
    launched = launcher.launch(argv, run.cwd);
  } catch {
    return await runProgram(run);
  }
  const failure = { error: null as AppError | null };
  const stop = (error: AppError): void => {
    failure.error ??= error;
    launched.kill();
  };
  const name = run.program.replace(/^.*[\\/]/, '');
  const onAbort = (): void => stop(new AppError('cancelled', `${name} was stopped.`, { audience: 'log' }));
  const timer = setTimeout(() => {
    stop(new AppError('timed_out', `${name} took longer than ${run.timeLimitMs / 1000} s.`));
  }, run.timeLimitMs);
  run.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const end = await launched.ended;
    if (failure.error !== null) throw failure.error;
    if (end === null) return await runProgram(run);
    const stderr = end.stderr.toString('utf8').slice(0, MAX_STDERR_CHARS);
    if (NOT_STARTED.has(end.exitCode))
      throw new AppError('io_failed', `${name} could not be started: ${stderr.trim()}`);
    const whole = handOn(end.stdout, (chunk) => run.onStdout(chunk));
    return { ended: whole ? 'exit' : 'early', exitCode: whole ? end.exitCode : -1, stderr };
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', onAbort);
  }
}

/** @returns false when the reader had enough before the end */
function handOn(output: Buffer, onStdout: (chunk: Buffer) => boolean): boolean {
  for (let at = 0; at < output.length; at += CHUNK_BYTES) {
    if (!onStdout(output.subarray(at, at + CHUNK_BYTES))) return false;
  }
  return true;
}
