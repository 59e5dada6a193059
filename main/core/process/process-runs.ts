import { readFileSync } from 'node:fs';

/** Whether a process of Linux is neither gone nor only waits to be collected. */
export function processRuns(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/[ZX]/.test(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
