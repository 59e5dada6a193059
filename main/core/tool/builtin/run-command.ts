import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { changedNote } from '../../change/baseline/command-changes';
import type { CommandChanges, CommandEffects, WatchedCommand } from '../../change/baseline/command-effects';
import type { ProcessLedger } from '../../process/ledger';
import { markedProcesses } from '../../process/marks';
import { runProcess, type RunOutcome } from '../../process/run-process';
import type { ShellPool } from '../../process/shell-pool';
import type { CommandStart } from '../../process/spawn-command';
import { startBackground } from '../../process/start-background';
import type { Confinement } from '../../sandbox/confine';
import type { Prepared, ToolContext, ToolDefinition, ToolResult } from '../types';

/** Characters of output that the model gets, head and tail (features H13). */
const TEXT_LIMIT = 12_000;
const QUICK_TIMEOUT_S = 90;
const SLOW_TIMEOUT_S = 600;
const MAX_TIMEOUT_S = 3600;
/** Linux takes no single argument over this many bytes. */
const MAX_COMMAND_BYTES = 131_071;
const LABEL_CHARS = 80;
const SANDBOX_ENDED =
  '[The sandbox of commands was killed and this command with it. The next command gets a new one.]';

const input = z.object({
  command: z.string().min(1).describe('Shell command line, run by bash.'),
  cwd: z.string().max(4096).optional().describe('Folder inside the project; default: the project folder.'),
  timeout_s: z.int().min(1).max(MAX_TIMEOUT_S).optional().describe('Time limit in seconds.'),
  background: z.boolean().optional().describe('Return at once and let it run on, for servers and watchers.'),
});
type Arguments = z.output<typeof input>;

export interface PreparedCommand extends Prepared {
  /** Absolute. */
  cwd: string;
  /** Follows what the command does to files, once it is permitted; null for commands that certainly change none. */
  watch: CommandWatch | null;
}

/** A watch that is begun once, and dropped unless the command takes it over. */
class CommandWatch {
  private watched: WatchedCommand | null = null;
  private isTaken = false;

  constructor(private readonly start: () => WatchedCommand) {}

  begin(): void {
    this.watched ??= this.start();
  }

  take(): WatchedCommand {
    this.isTaken = true;
    return (this.watched ??= this.start());
  }

  abandon(): void {
    if (!this.isTaken) this.watched?.drop();
  }
}

export interface RunCommandPorts {
  ledger: ProcessLedger;
  /** Finds out what commands do to files. */
  effects?: CommandEffects;
  /** Shells that wait unconfined, for commands that need no confinement. */
  shells?: ShellPool;
  /** The confinement of this project, or null where the machine has none. Asked only when a call must be confined. */
  confinement(projectRoot: string): Promise<Confinement | null>;
}

/** Words of commands that take minutes rather than seconds: installs, builds, tests, transfers. */
const SLOW =
  /\b(install|ci|build|test|tests|compile|bundle|make|cmake|ninja|cargo|gradle|gradlew|mvn|pytest|jest|vitest|tox|docker|podman|clone|fetch|pull|push|tsc|webpack|vite|lint|check|bench|e2e|playwright|bazel|dotnet|go)\b/;

/** Time limit of a command in seconds, from its words unless the call names one. */
export function timeLimitSeconds(args: Pick<Arguments, 'command' | 'timeout_s'>): number {
  return args.timeout_s ?? (SLOW.test(args.command) ? SLOW_TIMEOUT_S : QUICK_TIMEOUT_S);
}

/** `git log` with nothing but what the git_log tool does as well. */
const PLAIN_GIT_LOG =
  /^\s*git\s+log(\s+(-\d+|-n\s*\d+|--max-count[= ]\d+|--oneline|--no-merges|--since=[\w.:-]+|--grep=[\w.-]+|--|[\w./][\w./@~^-]*))*\s*$/;

function checkCommand(command: string): void {
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

async function folderOf(args: Arguments, { files }: ToolContext): Promise<string> {
  const cwd = args.cwd ?? '';
  if (/^~|^\$/.test(cwd)) {
    throw new AppError('outside_workspace', `The folder ${cwd} is outside the project.`, {
      hint: 'Give a folder inside the project, relative to it.',
      audience: 'model',
    });
  }
  return cwd === '' ? files.root : (await files.resolve(cwd)).absolute;
}

function shortened(command: string): string {
  const line = command.trim().replaceAll(/\s+/g, ' ');
  return line.length > LABEL_CHARS ? `${line.slice(0, LABEL_CHARS - 1)}…` : line;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** How it ended, in a few words. */
function ending(outcome: RunOutcome, limitSeconds: number): string {
  if (outcome.ended === 'timeout') return `timed out after ${limitSeconds} s`;
  return outcome.signal === null ? `exit ${outcome.exitCode ?? '?'}` : `killed by ${outcome.signal}`;
}

function modelText(outcome: RunOutcome, end: string): string {
  const notes: string[] = [];
  if (outcome.cutChars > 0) {
    const where = outcome.logPath === null ? '' : ` The whole output is in ${outcome.logPath}`;
    notes.push(`[${outcome.cutChars} characters were cut from the middle.${where}]`);
  }
  const { background } = outcome;
  if (background.length > 0) {
    const names = [...new Set(background)].slice(0, 5).join(', ');
    const count = `${background.length} background process${background.length === 1 ? '' : 'es'}`;
    notes.push(`[${count} still running: ${names}. They end when the app quits.]`);
  }
  if (outcome.ended === 'timeout')
    notes.push('[All its processes were ended. Give timeout_s for more time.]');
  if (outcome.text === '') return [`(no output), ${end}`, ...notes].join('\n');
  return [outcome.text.replace(/\n$/, ''), ...notes, `[${end}]`].join('\n');
}

function toResult(args: Arguments, outcome: RunOutcome, limitSeconds: number): ToolResult {
  const end = ending(outcome, limitSeconds);
  return {
    text: modelText(outcome, end),
    label: `Ran \`${shortened(args.command)}\` · ${end} · ${seconds(outcome.durationMs)}`,
    exitCode: outcome.exitCode,
    ...(outcome.cutChars > 0 ? { cutChars: outcome.cutChars } : {}),
    ...(outcome.logPath === null ? {} : { fullOutputPath: outcome.logPath }),
    ...(outcome.ended === 'timeout' ? { isError: true } : {}),
  };
}

async function wrapFor(context: ToolContext, ports: RunCommandPorts): Promise<Confinement | null> {
  if (context.confinement === 'off') return null;
  const confinement = await ports.confinement(context.projectRoot);
  await confinement?.ensure();
  if (confinement !== null) return confinement;
  throw new AppError('unsupported', 'Commands must run confined, and this machine has no working sandbox.', {
    hint: 'Install bubblewrap, or approve commands one by one.',
  });
}

/** Where a command runs: inside the confinement with the shells there, or outside with those outside. */
function placeOf(
  confinement: Confinement | null,
  cwd: string,
  ports: RunCommandPorts,
): Partial<CommandStart> {
  if (confinement !== null) return { wrap: confinement.wrapIn(cwd), shells: confinement.shells };
  return ports.shells === undefined ? {} : { shells: ports.shells };
}

/** What happened around the command that the model should know. */
async function notesAfter(outcome: RunOutcome, confinement: Confinement | null): Promise<string[]> {
  if (confinement === null) return [];
  const removed = await confinement.removePlanted();
  const ended = outcome.signal === 'SIGKILL' && (await confinement.hasEnded());
  return [
    ...(removed.length === 0
      ? []
      : [`[Removed, since commands may not create protected files: ${removed.join(', ')}]`]),
    ...(ended ? [SANDBOX_ENDED] : []),
  ];
}

/** A command about to run: where, and what follows its effects. */
interface Started {
  cwd: string;
  watched: WatchedCommand | null;
}

const isRunning = async (mark: string): Promise<boolean> => (await markedProcesses(mark)).length > 0;

async function changesAfter(
  watched: WatchedCommand | null,
  { background, mark }: RunOutcome,
  signal: AbortSignal,
): Promise<CommandChanges | null> {
  if (watched === null) return null;
  if (background.length === 0) return await watched.finish(signal);
  return await watched.goOn(signal, { isAlive: () => isRunning(mark) });
}

function withChanges(result: ToolResult, changes: CommandChanges | null): ToolResult {
  if (changes === null) return result;
  const { event, diffs } = changes;
  const note = event.files.length === 0 ? [] : [changedNote(event)];
  return { ...result, text: [result.text, ...note].join('\n'), diffs, changed: event };
}

/** Waits, but not longer than until the turn is stopped. What fails is told by whoever failed. */
async function untilStopped(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = (): void => stopped.resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([work.catch(() => undefined), stopped.promise]);
  signal.removeEventListener('abort', stop);
}

function logPathOf({ outputDir, callId }: ToolContext): string {
  return join(
    outputDir,
    `${callId.replaceAll(/[^\w.-]/g, '_').slice(0, 64)}-${randomUUID().slice(0, 8)}.log`,
  );
}

/**
 * The tool that runs shell commands. Each call is a new shell: nothing of an earlier call's environment or folder is left.
 */
export function createRunCommand(ports: RunCommandPorts): ToolDefinition<typeof input, PreparedCommand> {
  async function runInBackground(args: Arguments, context: ToolContext, run: Started): Promise<ToolResult> {
    const logPath = logPathOf(context);
    const confinement = await wrapFor(context, ports);
    const { pid, mark, ended } = await startBackground({
      command: args.command,
      cwd: run.cwd,
      callId: context.callId,
      logPath,
      ledger: ports.ledger,
      ...placeOf(confinement, run.cwd, ports),
    });
    const text = `Started in the background: process ${pid}, output in ${logPath}. It ends when the app quits.`;
    const label = `Started \`${shortened(args.command)}\` in the background · process ${pid}`;
    const isAlive = (): Promise<boolean> => isRunning(mark);
    const changes = await run.watched?.goOn(context.signal, { isAlive, ended });
    return withChanges({ text, label, fullOutputPath: logPath }, changes ?? null);
  }

  async function runToEnd(args: Arguments, context: ToolContext, run: Started): Promise<ToolResult> {
    const limitSeconds = timeLimitSeconds(args);
    const confinement = await wrapFor(context, ports);
    const outcome = await runProcess({
      command: args.command,
      cwd: run.cwd,
      callId: context.callId,
      signal: context.signal,
      timeoutMs: limitSeconds * 1000,
      textLimit: TEXT_LIMIT,
      logPath: logPathOf(context),
      onOutput: context.output,
      ledger: ports.ledger,
      ...placeOf(confinement, run.cwd, ports),
    });
    const notes = await notesAfter(outcome, confinement);
    if (outcome.ended === 'abort') {
      run.watched?.finishLater(outcome.gone);
      throw new AppError('cancelled', 'The command was stopped.', { audience: 'model' });
    }
    const changes = await changesAfter(run.watched, outcome, context.signal);
    const result = toResult(args, outcome, limitSeconds);
    return withChanges({ ...result, text: [result.text, ...notes].join('\n') }, changes);
  }

  /** Waits until everything that the command could change is at hand. A failure there keeps no command from running. */
  async function started(
    prepared: PreparedCommand | null,
    context: ToolContext,
    cwd: string,
  ): Promise<Started> {
    const watched = prepared?.watch?.take() ?? null;
    if (watched === null) return { cwd, watched };
    await untilStopped(watched.ready, context.signal);
    if (!context.signal.aborted) return { cwd, watched };
    watched.finishLater(Promise.resolve());
    throw new AppError('cancelled', 'The command was not started.', { audience: 'model' });
  }

  async function watchFor(args: Arguments, context: ToolContext): Promise<CommandWatch | null> {
    const { effects } = ports;
    if (effects === undefined || !(await effects.mayWrite(args.command))) return null;
    const { sessionId, turnId, callId } = context;
    return new CommandWatch(() => effects.begin({ sessionId, turnId, callId, command: args.command }));
  }

  return {
    name: 'run_command',
    effect: 'execute',
    describe:
      'Run a shell command with bash in the project (or in `cwd` inside it) and return its output and exit code. ' +
      'Input is empty, nothing can prompt. Every call is a new shell. Time limit 90 s, or 600 s for installs, builds and ' +
      'tests, or `timeout_s`. Of a long output the first 4,000 and the last 8,000 characters are returned; all of it is ' +
      'kept in a file. `background: true` returns at once, for servers. Use git_log for the history, and the file tools ' +
      'to read and change files.',
    input,
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
      const watch = await watchFor(args, context);
      const notCovered = watch === null ? [] : ((await ports.effects?.coverage()) ?? []);
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
      const run = await started(prepared, context, cwd);
      try {
        return await (args.background === true ? runInBackground : runToEnd)(args, context, run);
      } catch (error) {
        // Without effect when the end was told already.
        run.watched?.finishLater(Promise.resolve());
        throw error;
      }
    },
  };
}
