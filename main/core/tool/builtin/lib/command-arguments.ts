import { z } from 'zod';
import { AppError } from '../../../../../shared/error';
import type { ToolContext } from '../../types';

const QUICK_TIMEOUT_S = 90;
const SLOW_TIMEOUT_S = 600;
const MAX_TIMEOUT_S = 3600;
/** Linux takes no single argument over this many bytes. */
const MAX_COMMAND_BYTES = 131_071;

/** What a call of run_command may ask for. */
export const CommandArguments = z.object({
  command: z.string().min(1).describe('Shell command line, run by bash.'),
  cwd: z.string().max(4096).optional().describe('Folder inside the project; default: the project folder.'),
  timeout_s: z.int().min(1).max(MAX_TIMEOUT_S).optional().describe('Time limit in seconds.'),
  background: z.boolean().optional().describe('Return at once and let it run on, for servers and watchers.'),
});
export type CommandArguments = z.output<typeof CommandArguments>;

/** Words of commands that take minutes rather than seconds: installs, builds, tests, transfers. */
const SLOW =
  /\b(install|ci|build|test|tests|compile|bundle|make|cmake|ninja|cargo|gradle|gradlew|mvn|pytest|jest|vitest|tox|docker|podman|clone|fetch|pull|push|tsc|webpack|vite|lint|check|bench|e2e|playwright|bazel|dotnet|go)\b/;

/** Time limit of a command in seconds, from its words unless the call names one. */
export function timeLimitSeconds(args: Pick<CommandArguments, 'command' | 'timeout_s'>): number {
  return args.timeout_s ?? (SLOW.test(args.command) ? SLOW_TIMEOUT_S : QUICK_TIMEOUT_S);
}

/** `git log` with nothing but what the git_log tool does as well. */
const PLAIN_GIT_LOG =
  /^\s*git\s+log(\s+(-\d+|-n\s*\d+|--max-count[= ]\d+|--oneline|--no-merges|--since=[\w.:-]+|--grep=[\w.-]+|--|[\w./][\w./@~^-]*))*\s*$/;

/** @throws AppError `bad_argument` for a command that can't be run, or that a tool of its own does better */
export function checkCommand(command: string): void {
  if (PLAIN_GIT_LOG.test(command)) {
    throw new AppError(
      'bad_argument',
      'Use the git_log tool for the history: it answers with structured entries.',
      {
        hint: 'git_log takes path, grep, since and max_count.',
        audience: 'model',
      },
    );
  }
  if (command.includes('\0') || Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    throw new AppError('bad_argument', `A command may have ${MAX_COMMAND_BYTES} bytes and no NUL.`, {
      hint: 'Write long input to a file and let the command read it.',
      audience: 'model',
    });
  }
}

/** Where a command runs, absolute. @throws AppError `outside_workspace` */
export async function folderOf(args: CommandArguments, { files }: ToolContext): Promise<string> {
  const cwd = args.cwd ?? '';
  if (/^~|^\$/.test(cwd)) {
    throw new AppError('outside_workspace', `The folder ${cwd} is outside the project.`, {
      hint: 'Give a folder inside the project, relative to it.',
      audience: 'model',
    });
  }
  return cwd === '' ? files.root : (await files.resolve(cwd)).absolute;
}
