import { AppError } from '../../../../shared/error';
import type { Prepared, ToolDefinition } from '../types';
import { checkCommand, CommandArguments, folderOf } from './lib/command-arguments';
import { shortened } from './lib/command-report';
import { runInBackground, runToEnd, type RunCommandPorts } from './lib/command-run';
import { startWatched, watchFor, type CommandWatch } from './lib/command-watch';

export interface PreparedCommand extends Prepared {
  /** Absolute. */
  cwd: string;
  /** Follows what the command does to files, once it is permitted; null for commands that certainly change none. */
  watch: CommandWatch | null;
}

/**
 * The tool that runs shell commands. Each call is a new shell: nothing of an earlier call's environment or folder is left.
 */
export function createRunCommand(
  ports: RunCommandPorts,
): ToolDefinition<typeof CommandArguments, PreparedCommand> {
  return {
    name: 'run_command',
    effect: 'execute',
    describe:
      'Run a shell command with bash in the project (or in `cwd` inside it) and return its output and exit code. ' +
      'Input is empty, nothing can prompt. Every call is a new shell. Time limit 90 s, or 600 s for installs, builds and ' +
      'tests, or `timeout_s`. Of a long output the first 4,000 and the last 8,000 characters are returned; all of it is ' +
      'kept in a file. `background: true` returns at once, for servers. Use git_log for the history, and the file tools ' +
      'to read and change files.',
    input: CommandArguments,
    modes: ['agent'],
    subject: (args) => ({
      paths: [],
      command: args.command,
      ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
    }),
    label: (args) => `Run \`${shortened(args.command)}\``,
    async prepare(args, context) {
      checkCommand(args.command);
      const cwd = await folderOf(args, context);
      const watch = await watchFor(ports.effects, args.command, context);
      const notCovered =
        watch === null ? [] : ((await ports.effects?.coverage(args.command, args.cwd ?? '')) ?? []);
      return {
        cwd,
        watch,
        subject: {
          ...{ kind: 'command', command: args.command, cwd, parts: [], opaque: false },
          ...(notCovered.length === 0 ? {} : { notCovered }),
        },
        ...(watch === null ? {} : { begin: () => watch.begin(), abandon: () => watch.abandon() }),
      };
    },
    async run(args, context, prepared) {
      checkCommand(args.command);
      const cwd = await folderOf(args, context);
      // The folder was shown to a person: if a link now leads elsewhere, the answer was for another call.
      if (prepared !== null && prepared.cwd !== cwd) {
        throw new AppError('stale', `The folder ${args.cwd ?? ''} is not the one that was approved.`, {
          audience: 'model',
        });
      }
      const watched = await startWatched(prepared?.watch ?? null, context);
      try {
        const run = args.background === true ? runInBackground : runToEnd;
        return await run({ args, cwd, watched }, context, ports);
      } catch (error) {
        // Without effect when the end was told already.
        watched?.finishLater(Promise.resolve());
        throw error;
      }
    },
  };
}
