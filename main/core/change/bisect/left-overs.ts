import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lives } from '../recover-file-sets';

/** Programs that are just being ended may still write. */
export async function removeTree(dir: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await rm(dir, { recursive: true, force: true, maxRetries: 3 });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await delay(100);
    }
  }
}

/** Removes copies of processes that are gone. @returns how many there were */
export async function removeLeftOvers(parent: string): Promise<number> {
  let removed = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    const [pid = '', started = ''] = name.split('-');
    if (/^\d+$/.test(pid) && lives({ pid: Number(pid), started })) continue;
    await removeTree(path.join(parent, name));
    removed += 1;
  }
  return removed;
}
