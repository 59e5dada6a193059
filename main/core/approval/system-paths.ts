import { homedir } from 'node:os';
import { posix } from 'node:path';

/** Folders without which the system or every user's data is gone. Also macOS' own names for them. */
const SYSTEM_ROOTS = new Set(
  (
    '/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /lost+found /media /mnt /opt /proc /root /run /sbin /srv /sys ' +
    '/usr /var /usr/bin /usr/lib /usr/local /usr/sbin /usr/share /usr/include /var/lib /var/log /var/db /var/spool ' +
    '/Applications /Library /System /Users /Volumes /private /private/etc /private/var /private/tmp /cores'
  ).split(' '),
);

/** How bad it is to delete or re-own everything under a path. */
export type PathWeight = 'system' | 'home' | 'project' | 'above_project' | 'ordinary';

export interface PathPlace {
  /** Absolute folder that relative paths start from. */
  cwd: string;
  projectRoot: string;
}

function absolute(path: string, cwd: string): string {
  const text = path.replaceAll(/\$\{?HOME\}?/g, homedir()).replaceAll(/\$\{?PWD\}?/g, cwd);
  const joined = posix.resolve(cwd, text === '' ? '.' : text);
  return joined.length > 1 ? joined.replace(/\/+$/, '') : joined;
}

/**
 * Weighs the target of a recursive deletion or change. A trailing `/*` counts as the folder itself, since it leaves an
 * empty folder behind.
 */
export function weighPath(path: string, place: PathPlace): PathWeight {
  const target = absolute(
    path.replace(/\/?(\.?\*+|\{,\.\}\*)$/, (end) => (end.startsWith('/') ? '/' : '')),
    place.cwd,
  );
  const home = homedir();
  if (SYSTEM_ROOTS.has(target) && target !== place.projectRoot) return 'system';
  if (target === home || home.startsWith(`${target}/`)) return 'home';
  if (target === place.projectRoot) return 'project';
  return place.projectRoot.startsWith(`${target}/`) ? 'above_project' : 'ordinary';
}

/** A block device: writing to it destroys a file system. */
export function isDisk(path: string): boolean {
  return /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|rdisk\d|dm-\d|md\d|loop\d|mapper\/)/.test(
    path,
  );
}
