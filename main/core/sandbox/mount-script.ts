import { readFileSync } from 'node:fs';
import { shellArgv } from '../process/shell';
import { shellWord } from '../process/shell-word';
import type { SandboxPaths } from './sandbox-paths';

interface MountPoint {
  path: string;
  /** Flags that a remount must repeat, since they may be locked. */
  flags: string[];
}

/** The mount points of this process, outermost first. */
export function currentMounts(): MountPoint[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const fields = line.split(' ');
    const path = (fields[4] ?? '').replace(/\\([0-7]{3})/g, (_all, octal: string) =>
      String.fromCharCode(parseInt(octal, 8)),
    );
    const flags = (fields[5] ?? '')
      .split(',')
      .filter((flag) => /^(nosuid|nodev|noexec|noatime|nodiratime)$/.test(flag));
    return { path, flags };
  });
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

const readOnly = (path: string, flags: readonly string[] = []): string =>
  `mount -n -o ${['remount', 'bind', 'ro', ...flags].join(',')} ${shellWord(path)}`;

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/** A /dev with harmless devices only, made beside the old one and then moved over it. */
const DEV = [
  'mount -n -t tmpfs -o mode=755 tmpfs /mnt',
  ...DEVICES.map((name) => `: > /mnt/${name}; mount -n --bind /dev/${name} /mnt/${name}`),
  'ln -s /proc/self/fd /mnt/fd; ln -s /proc/self/fd/0 /mnt/stdin; ln -s /proc/self/fd/1 /mnt/stdout',
  'ln -s /proc/self/fd/2 /mnt/stderr; mkdir -m 1777 /mnt/shm; mount -n -t tmpfs tmpfs /mnt/shm',
  'mount -n --move /mnt /dev',
];

const PROC = [
  'mount -n -t proc proc /proc',
  'for each in sys sysrq-trigger irq bus; do if [ -e "/proc/$each" ]; then mount -n --bind "/proc/$each" "/proc/$each"; mount -n -o remount,bind,ro "/proc/$each"; fi; done',
];

/** Run by bash where there is one: as the first process in there it also collects orphans that have ended, sh does not. */
const HOLD = 'echo ready; while read -r _; do :; done';

/**
 * A sh script that turns the fresh mount namespace it runs in into the view of a confined command, brings loopback up,
 * says "ready" and waits for the end of its input. It stops at the first mount that fails.
 */
export function mountScript(paths: SandboxPaths, mounts: readonly MountPoint[]): string {
  const project = shellWord(paths.project);
  const inside = (path: string): boolean => isUnder(path, paths.project);
  const gone = (path: string): boolean =>
    ['/dev', '/proc', paths.project].some((folder) => isUnder(path, folder)) ||
    paths.emptied.some((folder) => isUnder(path, folder) && !isUnder(paths.project, path));
  const empty = (path: string): string => `mount -n -t tmpfs -o mode=1777 tmpfs ${shellWord(path)}`;
  const emptied = paths.emptied.filter((path) => !isUnder(path, '/dev'));
  return [
    'set -e',
    'mount -n --make-rprivate /',
    ...DEV,
    ...PROC,
    ...mounts.filter(({ path }) => !gone(path)).map(({ path, flags }) => readOnly(path, flags)),
    // The project is reached through the working folder, since an emptied folder may be above it.
    `cd ${project}`,
    ...emptied.filter((path) => !inside(path)).map(empty),
    `mkdir -p ${project}`,
    `mount -n -c --rbind . ${project}`,
    `mount -n -o remount,bind,rw ${project}`,
    `cd ${project}`,
    ...emptied.filter(inside).map(empty),
    ...paths.protected.flatMap((path) => [
      `mount -n --bind ${shellWord(path)} ${shellWord(path)}`,
      readOnly(path),
    ]),
    ...paths.blanked.map((path) => `mount -n --bind /dev/null ${shellWord(path)}`),
    'ip link set lo up 2>/dev/null || true',
    `exec ${shellArgv(HOLD).map(shellWord).join(' ')}`,
  ].join('\n');
}
