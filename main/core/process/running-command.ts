import type { ChildProcess } from 'node:child_process';
import type { ProcessTree } from './kill-tree';

export interface RunningCommand extends ProcessTree {
  child: ChildProcess;
  /** How the shell ended. Never rejects. */
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** How a process ends; to be asked for before it can have ended. */
export function ending(child: ChildProcess): RunningCommand['exit'] {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
}
