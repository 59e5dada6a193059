import { AppError } from '../../../../../shared/error';
import { changedNote } from '../../../change/baseline/command-changes';
import type {
  CommandChanges,
  CommandEffects,
  WatchedCommand,
} from '../../../change/baseline/command-effects';
import { markedProcesses } from '../../../process/marks';
import type { RunOutcome } from '../../../process/run-process';
import type { ToolContext, ToolResult } from '../../types';

/** A watch that is begun once, and dropped unless the command takes it over. */
export class CommandWatch {
  private watched: WatchedCommand | null = null;
  private isTaken = false;

  constructor(private readonly start: () => WatchedCommand) {}

  /** Resolves after a turn of the event loop, in which the look at the project gets going. */
  async begin(): Promise<void> {
    this.watched ??= this.start();
    await new Promise((resolve) => setImmediate(resolve));
  }

  take(): WatchedCommand {
    this.isTaken = true;
    return (this.watched ??= this.start());
  }

  abandon(): void {
    if (!this.isTaken) this.watched?.drop();
  }
}

/** Null for a command that certainly changes no files. */
export async function watchFor(
  effects: CommandEffects | undefined,
  command: string,
  context: ToolContext,
): Promise<CommandWatch | null> {
  if (effects === undefined || !(await effects.mayWrite(command))) return null;
  const { sessionId, turnId, callId } = context;
  return new CommandWatch(() => effects.begin({ sessionId, turnId, callId, command }));
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

/** Waits until everything that the command could change is at hand. A failure there keeps no command from running. */
export async function startWatched(
  watch: CommandWatch | null,
  { signal }: ToolContext,
): Promise<WatchedCommand | null> {
  const watched = watch?.take() ?? null;
  if (watched === null) return null;
  await untilStopped(watched.ready, signal);
  if (!signal.aborted) return watched;
  watched.finishLater(Promise.resolve());
  throw new AppError('cancelled', 'The command was not started.', { audience: 'model' });
}

/** Whether a process is left of the command with this mark. */
export const isRunning = async (mark: string): Promise<boolean> => (await markedProcesses(mark)).length > 0;

/** What a command did to files until now; what its background processes do is found when they end. */
export async function changesAfter(
  watched: WatchedCommand | null,
  { background, mark }: RunOutcome,
  signal: AbortSignal,
): Promise<CommandChanges | null> {
  if (watched === null) return null;
  if (background.length === 0) return await watched.finish(signal);
  return await watched.goOn(signal, { isAlive: () => isRunning(mark) });
}

/** The result of a call with what it did to files. */
export function withChanges(result: ToolResult, changes: CommandChanges | null): ToolResult {
  if (changes === null) return result;
  const { event, diffs } = changes;
  const note = event.files.length === 0 ? [] : [changedNote(event)];
  return { ...result, text: [result.text, ...note].join('\n'), diffs, changed: event };
}
