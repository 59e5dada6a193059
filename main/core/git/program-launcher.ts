import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { shellLineWord, shellWord } from '../process/shell-word';
import { OutputFiles } from './output-files';

/** What a program may print before it is ended, in bytes, and what `ulimit -f` counts in. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const LIMIT_UNIT_BYTES = 512;
/** A shell reports a program that a signal ended as this plus the signal's number. */
const SIGNALLED = 128;

/**
 * Reads one line per program: `r <id> <folder> <program> <argument> …`. It starts the program in the background and reports
 * `p <id> <process>` on descriptor 3, then `x <id> <exit code>`. $nl stands for what a line can't hold. With nothing running
 * (`c`) waiting only collects what has ended.
 */
const SCRIPT = `exec 3>&1
nl='
'
c() { wait; }
r() {
  id=$1 folder=$2
  shift 2
  ({
    (cd "$folder" && ulimit -f ${MAX_OUTPUT_BYTES / LIMIT_UNIT_BYTES} && exec "$@") </dev/null 3>&- &
    echo "p $id $!" >&3
    wait $!
    echo "x $id $?" >&3
  } >"$out/$id.out" 2>"$out/$id.err") &
}
while IFS= read -r line; do eval "$line"; done`;

export interface LaunchedEnd {
  /** −1 when a signal ended it; that is also how a program ends that printed too much. */
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
}

export interface Launched {
  /** Resolves with null when the launcher died: then the program may or may not have run. */
  ended: Promise<LaunchedEnd | null>;
  /** Ends the program; `ended` resolves soon after. */
  kill(): void;
}

interface Running {
  output: OutputFiles;
  pid: number | null;
  killed: boolean;
  resolve(end: LaunchedEnd | null): void;
}

/**
 * A small shell that starts programs for this process. Starting one from here means copying this process's page tables:
 * 4 ms for every 100 MB, during which nothing else moves. The shell has next to none. Only Linux starts processes that
 * slowly, so only there is it used. It ends with this process.
 */
export class ProgramLauncher {
  private readonly running = new Map<number, Running>();
  private lastId = 0;
  private alive = true;

  private constructor(
    private readonly shell: ChildProcess,
    private readonly folder: string,
  ) {
    const end = (): void => this.end();
    shell.on('error', end).on('exit', end);
    shell.stdin?.on('error', end);
    if (shell.stdout) createInterface({ input: shell.stdout }).on('line', (line) => this.heard(line));
    this.hold(false);
  }

  /** @param environment that of every program it will start. @returns null where it can't be had */
  static start(environment: Record<string, string>): ProgramLauncher | null {
    if (process.platform !== 'linux') return null;
    try {
      const folder = mkdtempSync(join(tmpdir(), 'lathe-launch-'));
      const stdio = ['pipe', 'pipe', 'ignore'] as const;
      const options = { cwd: '/', env: environment, stdio: [...stdio], detached: true };
      return new ProgramLauncher(
        spawn('/bin/sh', ['-c', `out=${shellWord(folder)}\n${SCRIPT}`], options),
        folder,
      );
    } catch {
      return null;
    }
  }

  get usable(): boolean {
    return this.alive && this.shell.pid !== undefined;
  }

  /**
   * @param argv the program, absolute, and its arguments; without NUL characters
   * @param cwd absolute
   * @throws the file system's error when there is no room for what it prints
   */
  launch(argv: readonly string[], cwd: string): Launched {
    const id = (this.lastId += 1);
    const output = new OutputFiles(join(this.folder, String(id)));
    const { promise: ended, resolve } = Promise.withResolvers<LaunchedEnd | null>();
    const words = [String(id), cwd, ...argv].map(shellLineWord).join(' ');
    const line = `${this.running.size === 0 ? 'c; ' : ''}r ${words}\n`;
    const entry: Running = { output, pid: null, killed: false, resolve };
    this.running.set(id, entry);
    this.hold(true);
    this.shell.stdin?.write(line);
    return {
      ended,
      kill: () => {
        entry.killed = true;
        if (entry.pid !== null) killQuietly(entry.pid);
      },
    };
  }

  close(): void {
    this.shell.stdin?.end();
    this.end();
  }

  private heard(line: string): void {
    const [what, name, value] = line.split(' ');
    const id = Number(name);
    const entry = this.running.get(id);
    if (entry === undefined) return;
    if (what === 'p') {
      entry.pid = Number(value);
      entry.output.unname();
      if (entry.killed) killQuietly(entry.pid);
    } else this.settle(id, entry, Number(value));
  }

  private settle(id: number, { output, resolve }: Running, status: number | null): void {
    this.running.delete(id);
    if (this.running.size === 0) this.hold(false);
    const end = status === null ? null : { ...output.read(), exitCode: status > SIGNALLED ? -1 : status };
    output.close();
    resolve(end);
  }

  private end(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const [id, entry] of [...this.running]) this.settle(id, entry, null);
    this.sweep();
    // The shell may have been about to open a file for what it started last.
    this.shell.once('exit', () => this.sweep());
  }

  private sweep(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // A file came in between; the shell's end sweeps again, and temporary folders are swept by the system.
    }
  }

  /** While nothing runs, the shell does not keep this process alive. */
  private hold(holds: boolean): void {
    const { stdin, stdout } = this.shell;
    for (const each of [this.shell, stdin, stdout] as ({ ref?(): void; unref?(): void } | null)[]) {
      if (holds) each?.ref?.();
      else each?.unref?.();
    }
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
