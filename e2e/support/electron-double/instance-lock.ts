import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Wish {
  argv: string[];
  cwd: string;
  data: unknown;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * True for the first process in this folder; others leave their wish there, as requestSingleInstanceLock documents:
 * https://www.electronjs.org/docs/latest/api/app#apprequestsingleinstancelockadditionaldata
 */
export function takeLock(userData: string, data: object, onSecond: (wish: Wish) => void): boolean {
  const folder = path.join(userData, 'double-instances');
  const lock = path.join(userData, 'double-lock');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch {
    if (isAlive(Number(readFileSync(lock, 'utf8')))) {
      const wish: Wish = { argv: process.argv, cwd: process.cwd(), data };
      writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(wish));
      return false;
    }
    writeFileSync(lock, String(process.pid));
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  const take = (): void => {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      try {
        const wish = JSON.parse(readFileSync(file, 'utf8')) as Wish;
        rmSync(file);
        onSecond(wish);
      } catch {
        // Not written to its end yet: the next event of the folder comes then.
      }
    }
  };
  watch(folder, take).unref();
  return true;
}
