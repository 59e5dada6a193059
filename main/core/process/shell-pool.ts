import { callMark, marksOf } from './call-mark';
import { commandEnvironment } from './environment';
import { processStarter, standingStarter, type ProcessStarter } from './process-starter';
import type { RunningCommand } from './running-command';
import { startWaitingShell, type WaitingShell } from './waiting-shell';
import { whenIdle } from './when-idle';

/**
 * Keeps one shell started for the next command, so that a command does not wait for a process to be made: that takes
 * milliseconds, and more the more memory this process has. Each shell runs one command only.
 */
export interface ShellPool {
  /** Starts a shell if none waits. It never fails. */
  prepare(): void;
  /**
   * The same without keeping anybody waiting: at once where a helper does it, else as soon as this process has nothing else
   * to do. To be called when the next command may come soon.
   */
  prepareSoon(): void;
  /**
   * Runs a command in the shell that waits.
   *
   * @param cwd absolute
   * @returns null when there is none that would do: start a new one then
   */
  take(command: string, cwd: string): Promise<RunningCommand | null>;
  /** Ends the shell that waits; none is started any more. */
  close(): void;
}

export interface ShellPoolOptions {
  /** Where shells wait: the folder in which most commands run, absolute. */
  folder: string;
  /** Id of the ledger's run. */
  runId?: string;
  /** Replaces the argument list, to start shells confined. Asked again for each. */
  wrap?: (argv: string[]) => string[];
  /** What starts them if it can; the one of this process unless a test says otherwise. */
  starter?: () => ProcessStarter | null;
}

/** A shell that nobody wanted for this long gives its memory back. */
const IDLE_MS = 5 * 60_000;
/** Longer commands than this take a new shell: reading them from a pipe would take longer. */
const MAX_COMMAND_CHARS = 16_384;
/** After so many shells that ended before they were used there is something that ends them: no more are made. */
const MAX_WASTED = 3;

function isSame(a: NodeJS.ProcessEnv, b: NodeJS.ProcessEnv): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

class Pool implements ShellPool {
  private waiting: WaitingShell | null = null;
  /** This process's environment when the shell that waits was started. */
  private parent: NodeJS.ProcessEnv = {};
  private idle: NodeJS.Timeout | undefined;
  private stopLooking: (() => void) | null = null;
  private wasted = 0;
  private isClosed = process.platform === 'win32';

  constructor(private readonly options: ShellPoolOptions) {}

  prepareSoon(): void {
    if (!this.wantsShell() || this.stopLooking !== null) return;
    const { starter = standingStarter } = this.options;
    const prepare = (): void => {
      this.stopLooking = null;
      this.prepare();
    };
    if (starter()?.canStart === true) {
      const immediate = setImmediate(prepare);
      this.stopLooking = () => clearImmediate(immediate);
    } else this.stopLooking = whenIdle(prepare);
  }

  prepare(): void {
    const shell = this.wantsShell() ? this.start() : null;
    if (shell === null) return;
    this.waiting = shell;
    this.idle = setTimeout(() => this.drop(), IDLE_MS).unref();
    void shell.ended.then(() => {
      if (this.waiting !== shell) return;
      this.wasted += 1;
      this.drop();
    });
  }

  async take(command: string, cwd: string): Promise<RunningCommand | null> {
    const shell = this.waiting;
    if (shell === null || command.length > MAX_COMMAND_CHARS) return null;
    if (!isSame(this.parent, process.env)) {
      this.drop();
      return null;
    }
    this.waiting = null;
    clearTimeout(this.idle);
    const running = await shell.run(command, cwd);
    this.wasted = running === null ? this.wasted + 1 : 0;
    return running;
  }

  close(): void {
    this.isClosed = true;
    this.stopLooking?.();
    this.drop();
  }

  private wantsShell(): boolean {
    return this.waiting === null && !this.isClosed && this.wasted < MAX_WASTED;
  }

  private drop(): void {
    clearTimeout(this.idle);
    this.waiting?.kill();
    this.waiting = null;
  }

  private start(): WaitingShell | null {
    const mark = callMark('waiting');
    this.parent = { ...process.env };
    const { starter = processStarter, ...where } = this.options;
    const environment = commandEnvironment(this.parent, marksOf(mark, where.runId));
    try {
      return startWaitingShell({ ...where, mark, environment }, starter());
    } catch {
      // Without a shell, or with too much running: the command itself will meet the reason and tell it.
      return null;
    }
  }
}

export function createShellPool(options: ShellPoolOptions): ShellPool {
  return new Pool(options);
}
