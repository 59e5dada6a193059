import { setTimeout as delay } from 'node:timers/promises';
import { markedProcesses, type MarkedProcess } from './marks';

/** A process that leads its own group, with the mark that all its descendants carry. */
export interface ProcessTree {
  pid: number;
  /** "LATHE_CALL=…" */
  mark: string;
  /** False once the leader was collected: its number may belong to somebody else then. */
  leaderAlive(): boolean;
}

/** Between TERM and KILL. */
export const TERM_GRACE_MS = 2000;
const POLL_MS = 25;
/** Forks race with the sweep, so it repeats until nothing is left. */
const KILL_ROUNDS = 40;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

/** Ends a process group at once; one that is gone already is no failure. */
export const killGroup = (pid: number): void => signal(-pid, 'SIGKILL');

function groupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function survivors(tree: ProcessTree): Promise<MarkedProcess[]> {
  return markedProcesses(tree.mark);
}

function signalAll(tree: ProcessTree, left: readonly MarkedProcess[], name: NodeJS.Signals): void {
  const ownsGroup = tree.leaderAlive() || left.some((each) => each.group === tree.pid);
  if (ownsGroup) signal(-tree.pid, name);
  for (const each of left) if (!ownsGroup || each.group !== tree.pid) signal(each.pid, name);
}

function isGone(tree: ProcessTree, left: readonly MarkedProcess[]): boolean {
  return left.length === 0 && !(tree.leaderAlive() && groupAlive(tree.pid));
}

/**
 * Ends a whole process tree: TERM, then KILL after {@link TERM_GRACE_MS}; over the process group and over every process
 * that carries the mark, so that children which called setsid end too. Resolves when nothing is left.
 *
 * @param graceMs 0 kills at once
 * @returns how many processes outlived everything (0 unless the kernel holds them)
 */
export async function killTree(tree: ProcessTree, graceMs = TERM_GRACE_MS): Promise<number> {
  if (tree.leaderAlive() && graceMs > 0) signal(-tree.pid, 'SIGTERM');
  let left = await survivors(tree);
  if (graceMs > 0) signalAll(tree, left, 'SIGTERM');
  const end = performance.now() + graceMs;
  while (!isGone(tree, left) && performance.now() < end) {
    await delay(POLL_MS);
    left = await survivors(tree);
  }
  for (let round = 0; round < KILL_ROUNDS && !isGone(tree, left); round += 1) {
    signalAll(tree, left, 'SIGKILL');
    await delay(round === 0 ? 5 : POLL_MS);
    left = await survivors(tree);
  }
  return left.length;
}

/** Whether anything of a tree still runs in its process group; cheap, misses children that called setsid. */
export function treeGroupAlive(tree: ProcessTree): boolean {
  return groupAlive(tree.pid);
}
