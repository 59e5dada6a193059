import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'open';
const mine = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A marker of this very process id that we did not write is left from an earlier process with the same id. */
function isLeftOver(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  if (!Number.isInteger(pid) || pid <= 0) return true;
  return pid === process.pid ? !mine.has(name) : !isAlive(pid);
}

export interface ExitMarker {
  /** True when an earlier process ended without closing the store. */
  readonly uncleanExit: boolean;
  /** Removes the marker: the store was closed in order. */
  clear(): void;
  /** Leaves the marker behind on purpose: the next start checks the store. */
  abandon(): void;
}

/** Leaves one file per open store in `<dataDir>/open/`; files of dead processes tell of an unclean exit. */
export function placeExitMarker(dataDir: string): ExitMarker {
  const folder = join(dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const leftOver = readdirSync(folder).filter(isLeftOver);
  for (const name of leftOver) rmSync(join(folder, name), { force: true, recursive: true });
  const name = `${process.pid}-${randomUUID()}`;
  mine.add(name);
  writeFileSync(join(folder, name), '');
  return {
    uncleanExit: leftOver.length > 0,
    abandon: () => {
      mine.delete(name);
    },
    clear: () => {
      mine.delete(name);
      rmSync(join(folder, name), { force: true });
    },
  };
}
