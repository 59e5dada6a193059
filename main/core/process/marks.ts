import { readdir, readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';

/** A running process that carries a mark in its environment. */
export interface MarkedProcess {
  pid: number;
  /** Process group. */
  group: number;
  /** Short name as the kernel has it. */
  name: string;
}

const NUMBER = /^\d+$/;

function carries(environ: Buffer, mark: string): boolean {
  const at = environ.indexOf(mark);
  return at >= 0 && (at === 0 || environ[at - 1] === 0);
}

/** Parses `/proc/<pid>/stat`; null for a process that has ended and only waits to be collected. */
function parseStat(pid: number, stat: string): MarkedProcess | null {
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return { pid, group: Number(fields[2]), name: stat.slice(stat.indexOf('(') + 1, end) };
}

async function inspect(pid: number, mark: string): Promise<MarkedProcess | null> {
  try {
    if (!carries(await readFile(`/proc/${pid}/environ`), mark)) return null;
    return parseStat(pid, await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Gone meanwhile, or another user's: neither is ours.
    return null;
  }
}

/**
 * All processes whose environment holds `mark` ("NAME=value" or the start of it), also those that left the process group
 * by setsid. Linux only: elsewhere there is no process table to read and the list is empty.
 */
export async function markedProcesses(mark: string): Promise<MarkedProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => NUMBER.test(name)).map(Number);
  const found = await Promise.all(pids.filter((pid) => pid !== process.pid).map((pid) => inspect(pid, mark)));
  return found.filter((each) => each !== null);
}

/** The same without waiting, for the moment of exit. */
export function markedPidsNow(mark: string): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => NUMBER.test(name) && Number(name) !== process.pid && carriesNow(name, mark))
    .map(Number);
}

function carriesNow(pid: string, mark: string): boolean {
  try {
    return carries(readFileSync(`/proc/${pid}/environ`), mark);
  } catch {
    return false;
  }
}
