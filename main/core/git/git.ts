import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../shared/error';
import { isInside } from '../workspace/path-jail';
import { runProgram } from './run-program';

export interface GitResult {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
  /** The time was over: `stdout` is what had come by then. Only with `keepPartial`. */
  isPartial?: boolean;
}

export interface GitRunOptions {
  signal: AbortSignal;
  /** Default {@link DEFAULT_TIME_LIMIT_MS}. */
  timeLimitMs?: number;
  /** At the time limit what has come so far is the result instead of an error. */
  keepPartial?: boolean;
  /** Output beyond this ends git with `file_too_large`. Default 16 MB. */
  maxOutputBytes?: number;
}

export interface Git {
  /** True when git was found outside the project. */
  readonly available: boolean;
  /**
   * Runs one git command in the project folder, without a shell. Arguments are passed as they are: put paths after `--`.
   *
   * @throws AppError `unsupported` (no git), `timed_out`, `cancelled`, `file_too_large`, `io_failed`
   */
  run(args: readonly string[], options: GitRunOptions): Promise<GitResult>;
}

const DEFAULT_TIME_LIMIT_MS = 20_000;
const DEFAULT_MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * A repository's own config can name programs to run. Each of these keys is set on the command line, which wins over every
 * config file, so that looking at a repository runs nothing of it (sec-A22).
 */
const HARDENING: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.pager=cat',
  'core.editor=true',
  'core.askPass=',
  'core.sshCommand=false',
  'core.attributesFile=',
  'core.quotePath=false',
  'diff.external=',
  'credential.helper=',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  'protocol.allow=never',
  'color.ui=false',
].flatMap((setting) => ['-c', setting]);

const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'USERPROFILE',
  'APPDATA',
];

/** @param root real path of the project folder: nothing in it is ever run as git (sec-A20) */
export function createGit(root: string): Git {
  const program = findProgram('git', root);
  return {
    available: program !== null,
    run: (args, options) => {
      if (program === null) {
        return Promise.reject(
          new AppError('unsupported', 'git was not found on this machine.', {
            hint: 'Install git to see history; editing works without it.',
          }),
        );
      }
      return runGit(program, root, args, options);
    },
  };
}

/**
 * The absolute path of a program from the absolute entries of PATH that lie outside `root`; null when there is none.
 */
export function findProgram(name: string, root: string): string | null {
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name];
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const found = names.map((file) => path.join(folder, file)).find((file) => isProgramOutside(file, root));
    if (found !== undefined) return found;
  }
  return null;
}

function isProgramOutside(file: string, root: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() && !isInside(root, file) && !isInside(root, realpathSync(file));
  } catch {
    // Not there or not ours to run: PATH is full of such entries.
    return false;
  }
}

function gitEnvironment(): Record<string, string> {
  const env: Record<string, string> = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
  };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

async function runGit(
  program: string,
  cwd: string,
  args: readonly string[],
  options: GitRunOptions,
): Promise<GitResult> {
  const maxBytes = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  const partly = (error: unknown): null => {
    if (options.keepPartial === true && error instanceof AppError && error.code === 'timed_out') return null;
    throw error;
  };
  const end = await runProgram({
    program,
    args: [...HARDENING, '--no-pager', ...args],
    cwd,
    env: gitEnvironment(),
    signal: options.signal,
    timeLimitMs: options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS,
    onStdout: (chunk) => {
      size += chunk.length;
      if (size > maxBytes) return false;
      chunks.push(chunk);
      return true;
    },
  }).catch(partly);
  if (end === null) return { stdout: Buffer.concat(chunks), stderr: '', exitCode: 0, isPartial: true };
  if (end.ended === 'early') {
    throw new AppError('file_too_large', `git ${args[0] ?? ''} gave more than ${maxBytes} bytes.`);
  }
  return { stdout: Buffer.concat(chunks), stderr: end.stderr, exitCode: end.exitCode };
}
