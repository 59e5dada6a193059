import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { TEMP_FILE_PREFIX } from '../workspace/atomic-write';
import type { WorkspaceFiles } from '../workspace/types';
import { openWorkspaceFiles, sha256 } from '../workspace/workspace-files';
import { sideOf, takeBack } from './file-set';
import { RECORD_NAME, SetRecord, startOf } from './file-set-record';

/** Whether the process that wrote this down is still there. */
export function lives({ pid, started }: Pick<SetRecord, 'pid' | 'started'>): boolean {
  if (pid === process.pid) return started === startOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startOf(pid) === started;
}

/** What recovery did with the changes that a process left unfinished. */
export interface RecoveredSets {
  /** Changes that were taken back. */
  undone: { root: string; paths: string[] }[];
  /** Changes that could not be, or not wholly: files changed since, or the folder is gone. */
  failed: { root: string; paths: string[] }[];
}

/** Takes back what processes left half written when they died. A set that was written wholly stays. Never throws. */
export async function recoverFileSets(dir: string): Promise<RecoveredSets> {
  const found: RecoveredSets = { undone: [], failed: [] };
  for (const name of await readdir(dir).catch(() => [])) {
    const folder = path.join(dir, name);
    const entry = await readEntry(folder);
    if (entry !== null && lives(entry)) continue;
    if (entry !== null) await recover(folder, entry, found).catch(() => undefined);
    else if (await isAbandoned(folder))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
  return found;
}

async function readEntry(folder: string): Promise<SetRecord | null> {
  try {
    return SetRecord.parse(JSON.parse(await readFile(path.join(folder, RECORD_NAME), 'utf8')));
  } catch {
    return null;
  }
}

const ABANDONED_MS = 60_000;

/** An entry without a record may be one that a living process is just making. */
async function isAbandoned(folder: string): Promise<boolean> {
  const facts = await stat(folder).catch(() => null);
  return facts !== null && Date.now() - facts.mtimeMs > ABANDONED_MS;
}

async function recover(folder: string, entry: SetRecord, found: RecoveredSets): Promise<void> {
  const told = { root: entry.root, paths: entry.files.map((file) => file.path) };
  let whole: boolean;
  try {
    const files = await openWorkspaceFiles(entry.root);
    await removeStaged(files, entry);
    const now = await Promise.all(entry.files.map((file) => sideOf(files, file)));
    // Nothing is as it was: all of it was written, whoever changed files since.
    const finished = now.every((side) => side !== 'before');
    const untouched = now.every((side) => side === 'before');
    whole =
      finished ||
      untouched ||
      (await takeBack(files, [...entry.files].reverse(), async (file) =>
        readFile(path.join(folder, `${entry.files.indexOf(file as SetRecord['files'][number])}`)),
      ));
    if (whole && !finished && !untouched) found.undone.push(told);
  } catch {
    whole = false;
  }
  // What could not be taken back is told once; the images would be of no use later.
  if (!whole) found.failed.push(told);
  await rm(folder, { recursive: true, force: true });
}

/** New bytes that were waiting beside their targets. */
async function removeStaged(files: WorkspaceFiles, entry: SetRecord): Promise<void> {
  const staged = new Set(entry.files.map(({ after }) => after));
  for (const parent of new Set(entry.files.map(({ path: name }) => path.posix.dirname(name)))) {
    const { absolute } = await files.resolve(parent);
    for (const name of await readdir(absolute).catch(() => [])) {
      if (!name.startsWith(TEMP_FILE_PREFIX)) continue;
      const target = path.join(absolute, name);
      const bytes = await readFile(target).catch(() => null);
      if (bytes !== null && staged.has(sha256(bytes))) await rm(target, { force: true });
    }
  }
}

/** What people are told at the start of changes that a crash cut short. */
export function recoveredNotices({ undone, failed }: RecoveredSets): string[] {
  const names = (paths: readonly string[]): string => paths.slice(0, 5).join(', ');
  return [
    ...undone.map(
      ({ paths }) => `A change that was cut short was taken back: ${names(paths)} are as before.`,
    ),
    ...failed.map(
      ({ paths }) => `A change was cut short and could not be taken back wholly. Look at ${names(paths)}.`,
    ),
  ];
}
