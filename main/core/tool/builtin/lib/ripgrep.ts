import { rgPath } from '@vscode/ripgrep';
import { AppError } from '../../../../../shared/error';
import { ProgramLauncher } from '../../../git/program-launcher';
import { runLaunched } from '../../../git/run-launched';
import type { ProgramEnd } from '../../../git/run-program';
import type { ToolContext } from '../../types';

const TIME_LIMIT_MS = 60_000;

/** Inside a packaged app the archive can't be executed; the binary lies unpacked beside it. */
const PROGRAM = rgPath.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked');

/** Hidden files are searched, git's own folder is not; ignore files count outside of repositories too; no user config. */
const COMMON = ['--no-config', '--hidden', '--glob=!.git', '--no-require-git', '--null', '--color=never'];

const PASSED_ON = ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SYSTEMROOT'];

/** Where to search, as an argument that can't be taken for an option and that marks what is printed as relative. */
export const searchRoot = (relative: string): string => (relative === '' ? './' : `./${relative}`);

/** A path as ripgrep prints it, relative to the project again. */
export const withoutDot = (printed: string): string =>
  printed.startsWith('./') ? printed.slice(2) : printed;

function environment(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

let launcher: ProgramLauncher | null = null;

/** Makes the next searches start quickly; for a moment in which nobody waits for anything. */
export function warmRipgrep(): void {
  if (launcher?.usable !== true) launcher = ProgramLauncher.start(environment());
}

const WITHOUT_IT = 'Until then, search with `grep -rn` or `find` by run_command.';

/** A failure of the program, with what to do about it: to the model it must never look like "nothing found" (fault-F38). */
export function searchFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.hint !== undefined) return error;
  const hints: Partial<Record<AppError['code'], string>> = {
    timed_out: 'Narrow the search with path or glob, or make the pattern simpler.',
    io_failed: `ripgrep comes with Lathe: install Lathe again. ${WITHOUT_IT}`,
  };
  const hint = hints[error.code];
  if (hint === undefined) return error;
  return new AppError(error.code, error.message, { hint, cause: error });
}

/** ripgrep printed something that is none of its forms. */
export const oddOutput = (): AppError =>
  new AppError(
    'io_failed',
    'ripgrep answered in a form that can’t be read, so nothing is known of matches.',
    {
      hint: `Install Lathe again. ${WITHOUT_IT}`,
    },
  );

/** Why not everything was searched; '' when all was, or when enough was found. */
export function complaintOf({ ended, exitCode, stderr }: ProgramEnd): string {
  if (ended === 'early' || exitCode === 0 || exitCode === 1) return '';
  if (exitCode < 0) return 'ripgrep was killed before it was done.';
  const said = stderr.trim();
  return said === '' ? `ripgrep ended with code ${exitCode}.` : said;
}

/**
 * Runs ripgrep in the project folder.
 *
 * @param onStdout gets output as it comes, or all of it at the end; false ends the search
 * @throws AppError `timed_out`, `cancelled`, `io_failed`, each with what to do
 */
export async function ripgrep(
  args: readonly string[],
  context: Pick<ToolContext, 'projectRoot' | 'signal'>,
  onStdout: (chunk: Buffer) => boolean,
): Promise<ProgramEnd> {
  const run = {
    program: PROGRAM,
    args: [...COMMON, ...args],
    cwd: context.projectRoot,
    env: environment(),
    signal: context.signal,
    timeLimitMs: TIME_LIMIT_MS,
    onStdout,
  };
  try {
    return await runLaunched(run, launcher);
  } catch (error) {
    throw searchFailure(error);
  }
}
