import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Linux keeps what is in here in memory. */
const MEMORY = '/dev/shm';

/**
 * Gives everything that is started from here on temporary folders of its own, on the disk and in memory, and removes them
 * when this process ends: tests, browsers and killed programs leave files behind in every run. Where an outer script has
 * done so already, nothing happens.
 */
export function useTestScratch() {
  if (process.env.LATHE_TEST_SCRATCH !== undefined) return;
  const made = [os.tmpdir(), MEMORY]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => {
      try {
        return [mkdtempSync(path.join(folder, 'lathe-run-'))];
      } catch {
        // No such place, or none for us: tests then use what is there.
        return [];
      }
    });
  const [onDisk] = made;
  if (onDisk?.startsWith(os.tmpdir())) process.env.TMPDIR = onDisk;
  process.env.LATHE_TEST_SCRATCH = made.find((folder) => folder.startsWith(`${MEMORY}/`)) ?? '';
  process.once('exit', () => {
    for (const folder of made) {
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      } catch {
        // A process that outlived its test still writes there. What is left is no failure of the tests.
      }
    }
  });
}
