import { rgPath } from '@vscode/ripgrep';
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

/**
 * Runs ripgrep in the project folder.
 *
 * @param onStdout gets output as it comes, or all of it at the end; false ends the search
 */
export function ripgrep(
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
  return runLaunched(run, launcher);
}
