import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps what is in here in memory; `npm test` names a folder in it that goes with the run. */
const MEMORY = process.env.LATHE_TEST_SCRATCH || '/dev/shm';
const WANTED_BYTES = 256 * 1024 * 1024;

/**
 * A new folder for a store: in memory if there is room, since a store waits for the disk with each commit, and with many
 * tests at once that is most of what they do.
 */
export function scratchFolder(prefix: string): string {
  return mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), prefix));
}

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > WANTED_BYTES;
  } catch {
    return false;
  }
}
