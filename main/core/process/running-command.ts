import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ProcessTree } from './kill-tree';

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunningCommand extends ProcessTree {
  stdout: Readable;
  stderr: Readable;
  /** How the shell ended. Never rejects. */
  exit: Promise<ProcessEnd>;
  /** While it runs it keeps this process alive, unless told otherwise. */
  hold(holds: boolean): void;
}

/** How a process ends; to be asked for before it can have ended. */
export function ending(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
}

/** Lets a process and its streams keep this process alive, or not. */
export function holdChild(child: ChildProcess, holds: boolean): void {
  const streams = child.stdio.filter((each) => each instanceof Socket);
  for (const each of [child, ...streams]) {
    if (holds) each.ref();
    else each.unref();
  }
}

/** What was started, as the command that carries `mark`. */
export function asCommand(
  started: Pick<RunningCommand, 'stdout' | 'stderr' | 'exit' | 'hold'> & { isAlive(): boolean },
  pid: number,
  mark: string,
): RunningCommand {
  const { stdout, stderr, exit } = started;
  return {
    ...{ stdout, stderr, exit, pid, mark },
    leaderAlive: () => started.isAlive(),
    hold: (holds) => started.hold(holds),
  };
}
