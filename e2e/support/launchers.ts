import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const isRoot = process.getuid?.() === 0;

/** Starts a program for which file permissions count, also where the tests run as root; null where that can't be had. */
export function ordinaryRights(): readonly string[] | null {
  if (!isRoot) return [];
  const launcher = ['setpriv', '--inh-caps=-all', '--bounding-set=-dac_override,-dac_read_search'];
  return works([...launcher, 'true']) ? launcher : null;
}

/** A small file system of a program's own, and what lies in it as seen from outside. */
export interface SmallDisk {
  launcher: readonly string[];
  /** Path of `name` on the small disk of the process that was started with the launcher. */
  inside(pid: number, name: string): string;
}

/**
 * Starts a program that sees an empty disk of `kib` KiB at `folder`. The mount lives in a namespace of that program alone
 * and ends with it. Null where the system allows no such thing.
 */
export function smallDisk(folder: string, kib: number): SmallDisk | null {
  const mounts = [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    '--mount',
    '--propagation',
    'private',
  ];
  const script = 'mount -t tmpfs -o "size=$1k,mode=700" lathe-test "$0" && shift && exec "$@"';
  const launcher = [...mounts, 'sh', '-c', script, folder, String(kib)];
  if (!works([...launcher, 'true'])) return null;
  return { launcher, inside: (pid, name) => join(`/proc/${pid}/root`, folder, name) };
}

function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}
