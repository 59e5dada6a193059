import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createEscapeFilter } from './escape-filter';
import { treeGroupAlive } from './kill-tree';
import type { ProcessLedger } from './ledger';
import { createLiveOutput, type LiveOutput, type OutputListener } from './live-output';
import { markedProcesses } from './marks';
import { createOutputLog, type OutputLog } from './output-log';
import { createOutputText, type OutputText } from './output-text';
import type { RunningCommand } from './running-command';
import { spawnCommand, type CommandStart } from './spawn-command';

export interface RunOptions extends Omit<CommandStart, 'runId'> {
  signal: AbortSignal;
  timeoutMs: number;
  /** Characters kept for the model, head and tail. */
  textLimit: number;
  /** Where the whole output goes if it is longer than `textLimit`; the file is made only then. */
  logPath: string;
  onOutput: OutputListener;
  ledger: ProcessLedger;
}

export interface RunOutcome {
  /** `exit`: the shell ended by itself; `timeout` and `abort`: it was ended. */
  ended: 'exit' | 'timeout' | 'abort';
  /** Null when a signal ended the shell or the run was aborted. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  text: string;
  cutChars: number;
  /** Path of the whole output, when it was cut; at most 10 MB are kept there. */
  logPath: string | null;
  /** Names of processes that still ran when the shell had ended. */
  background: string[];
  durationMs: number;
  /** What its processes are found by. */
  mark: string;
  /** After a time limit or an abort: resolves when its processes are ended. */
  gone: Promise<unknown>;
}

/** After the shell has ended, output counts as complete when nothing came for this long. */
const IDLE_MS = 40;
/** Background children that keep printing can't hold the call longer than this (case-S01). */
const MAX_DRAIN_MS = 300;

interface Reader {
  closed: Promise<void>;
  lastAt(): number;
  stop(): void;
}

function read(stream: Readable, push: (text: string) => void, log: OutputLog): Reader {
  const decoder = new StringDecoder('utf8');
  const filter = createEscapeFilter();
  let lastAt = performance.now();
  stream.on('data', (chunk: Buffer) => {
    lastAt = performance.now();
    log.push(chunk);
    push(filter.push(decoder.write(chunk)));
  });
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => {
      push(filter.push(decoder.end()));
      resolve();
    });
    // A broken pipe ends the output; 'close' follows.
    stream.once('error', () => undefined);
  });
  return { closed, lastAt: () => lastAt, stop: () => void stream.destroy() };
}

/** Waits until the pipes are closed, or idle, or the limit is over; then lets go of them. */
async function drain(readers: readonly Reader[]): Promise<'closed' | 'held'> {
  const closed = Promise.all(readers.map((reader) => reader.closed)).then(() => 'closed' as const);
  const end = performance.now() + MAX_DRAIN_MS;
  for (;;) {
    const state = await Promise.race([closed, delay(IDLE_MS / 2, 'waiting' as const)]);
    if (state === 'closed') return state;
    // One turn of the event loop, so that bytes that wait in the pipe are seen before it is called idle.
    await new Promise(setImmediate);
    const now = performance.now();
    const idle = readers.every((reader) => now - reader.lastAt() > IDLE_MS);
    if (idle || now > end) return 'held';
  }
}

interface Capture {
  text: OutputText;
  log: OutputLog;
  live: LiveOutput;
  readers: Reader[];
}

function capture(running: RunningCommand, options: RunOptions): Capture {
  const text = createOutputText(options.textLimit);
  const log = createOutputLog(options.logPath, options.textLimit);
  const live = createLiveOutput(options.onOutput);
  const push = (stream: 'stdout' | 'stderr') => (piece: string) => {
    text.push(piece);
    live.push(stream, piece);
  };
  const readers = [read(running.stdout, push('stdout'), log), read(running.stderr, push('stderr'), log)];
  return { text, log, live, readers };
}

type Ending = Pick<RunOutcome, 'ended' | 'signal' | 'gone'> & { code: number | null };

/** Resolves with how the run ended; on a time limit only after the tree was ended, on abort at once. */
async function waitForEnd(running: RunningCommand, options: RunOptions): Promise<Ending> {
  const { signal, ledger } = options;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<'abort'>((resolve) => {
    onAbort = () => {
      resolve('abort');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  const timedOut = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, options.timeoutMs, 'timeout');
  });
  try {
    const first = await Promise.race([running.exit, aborted, timedOut]);
    if (typeof first === 'object') return { ended: 'exit', ...first, gone: Promise.resolve() };
    const killed = ledger.kill(running.mark);
    const gone = killed.then(() => running.exit);
    gone.catch(() => undefined);
    if (first === 'abort') return { ended: 'abort', code: null, signal: null, gone };
    const after = await Promise.race([killed.then(() => null), aborted]);
    return after === 'abort'
      ? { ended: 'abort', code: null, signal: null, gone }
      : { ended: 'timeout', ...(await running.exit), gone };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Names of what still runs after the shell ended. The process table is read only when there is a sign of life. */
async function backgroundOf(running: RunningCommand, held: boolean): Promise<string[]> {
  if (!held && !treeGroupAlive(running)) return [];
  return (await markedProcesses(running.mark)).map((each) => each.name);
}

function letGo({ log, live, readers }: Capture): void {
  live.flush();
  for (const reader of readers) reader.stop();
  log.close();
}

/**
 * Runs a shell command and gives back its output, bounded in memory, as the model may see it. It returns when the shell
 * ends, even if background children hold the pipes; on a time limit TERM and after 2 s KILL go to the whole tree; on abort
 * it returns at once while the tree is being ended.
 *
 * @throws AppError `not_found`, `bad_argument`, `io_failed`, `unsupported` when the command could not be started
 */
export async function runProcess(options: RunOptions): Promise<RunOutcome> {
  const startedAt = performance.now();
  const { ledger } = options;
  const running = await spawnCommand({ ...options, runId: ledger.runId });
  ledger.add({
    ...running,
    command: options.command,
    startedAt: Date.now(),
    background: false,
    logPath: null,
  });
  const output = capture(running, options);
  const end = await waitForEnd(running, options);
  const drained = end.ended === 'abort' ? 'held' : await drain(output.readers);
  const background = end.ended === 'exit' ? await backgroundOf(running, drained === 'held') : [];
  if (end.ended === 'exit' && background.length === 0) ledger.remove(running.mark);
  letGo(output);
  const { text, cutChars } = output.text.read();
  return {
    ended: end.ended,
    exitCode: end.code,
    signal: end.signal,
    text,
    cutChars,
    logPath: output.log.written() && (cutChars > 0 || output.log.lostBytes() > 0) ? options.logPath : null,
    background,
    durationMs: performance.now() - startedAt,
    mark: running.mark,
    gone: end.gone,
  };
}
