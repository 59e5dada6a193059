import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../../../../shared/error';
import type { CommandEffects, WatchedCommand } from '../../../change/baseline/command-effects';
import type { ProcessLedger } from '../../../process/ledger';
import { runProcess, type RunOutcome } from '../../../process/run-process';
import type { ShellPool } from '../../../process/shell-pool';
import type { CommandStart } from '../../../process/spawn-command';
import { startBackground } from '../../../process/start-background';
import type { Confinement } from '../../../sandbox/confine';
import type { ToolContext, ToolResult } from '../../types';
import { timeLimitSeconds, type CommandArguments } from './command-arguments';
import { shortened, toResult } from './command-report';
import { changesAfter, isRunning, withChanges } from './command-watch';

/** Characters of output that the model gets, head and tail (features H13). */
const TEXT_LIMIT = 12_000;
const SANDBOX_ENDED =
  '[The sandbox of commands was killed and this command with it. The next command gets a new one.]';

/** What running commands needs of the rest of the core. */
export interface RunCommandPorts {
  ledger: ProcessLedger;
  /** Finds out what commands do to files. */
  effects?: CommandEffects;
  /** Shells that wait unconfined, for commands that need no confinement. */
  shells?: ShellPool;
  /** The confinement of this project, or null where the machine has none. Asked only when a call must be confined. */
  confinement(projectRoot: string): Promise<Confinement | null>;
}

/** A command about to run: its words, where, and what follows its effects. */
export interface CommandRun {
  args: CommandArguments;
  cwd: string;
  watched: WatchedCommand | null;
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

function logPathOf({ outputDir, callId }: ToolContext): string {
  return join(
    outputDir,
    `${callId.replaceAll(/[^\w.-]/g, '_').slice(0, 64)}-${randomUUID().slice(0, 8)}.log`,
  );
}

/** Starts a command that goes on after its call. */
export async function runInBackground(
  { args, cwd, watched }: CommandRun,
  context: ToolContext,
  ports: RunCommandPorts,
): Promise<ToolResult> {
  const logPath = logPathOf(context);
  const confinement = await wrapFor(context, ports);
  const { pid, mark, ended } = await startBackground({
    command: args.command,
    cwd,
    callId: context.callId,
    logPath,
    ledger: ports.ledger,
    ...placeOf(confinement, cwd, ports),
  });
  const text = `Started in the background: process ${pid}, output in ${logPath}. It ends when the app quits.`;
  const label = `Started \`${shortened(args.command)}\` in the background · process ${pid}`;
  const isAlive = (): Promise<boolean> => isRunning(mark);
  const changes = await watched?.goOn(context.signal, { isAlive, ended });
  return withChanges({ text, label, fullOutputPath: logPath }, changes ?? null);
}

/** Runs a command to its end. @throws AppError `cancelled` when the turn is stopped, `unsupported` without a sandbox where one is required */
export async function runToEnd(
  { args, cwd, watched }: CommandRun,
  context: ToolContext,
  ports: RunCommandPorts,
): Promise<ToolResult> {
  const limitSeconds = timeLimitSeconds(args);
  const confinement = await wrapFor(context, ports);
  const outcome = await runProcess({
    command: args.command,
    cwd,
    callId: context.callId,
    signal: context.signal,
    timeoutMs: limitSeconds * 1000,
    textLimit: TEXT_LIMIT,
    logPath: logPathOf(context),
    onOutput: context.output,
    ledger: ports.ledger,
    ...placeOf(confinement, cwd, ports),
  });
  const notes = await notesAfter(outcome, confinement);
  if (outcome.ended === 'abort') {
    watched?.finishLater(outcome.gone);
    throw new AppError('cancelled', 'The command was stopped.', { audience: 'model' });
  }
  const changes = await changesAfter(watched, outcome, context.signal);
  const result = toResult(args.command, outcome, limitSeconds);
  return withChanges({ ...result, text: [result.text, ...notes].join('\n') }, changes);
}
