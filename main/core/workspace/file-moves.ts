import type { Stats } from 'node:fs';
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../shared/error';
import type { WorkspaceFiles } from './types';

/** An entry itself, also when it is a link: the folder it is in is resolved, its name is not. */
interface Place {
  relative: string;
  absolute: string;
  facts: Stats | null;
}

function tidy(path: string): string {
  return path.replace(/\/+$/, '');
}

async function place(files: WorkspaceFiles, path: string): Promise<Place> {
  const clean = tidy(path);
  const name = basename(clean);
  if (name === '' || name === '.' || name === '..') {
    throw new AppError('bad_argument', 'The project folder itself can not be moved or removed here.', {
      hint: 'Close the project first.',
    });
  }
  const parent = await files.resolve(dirname(clean));
  const absolute = join(parent.absolute, name);
  if (absolute === files.root) throw new AppError('bad_argument', 'This is the project folder itself.');
  return {
    relative: parent.relative === '' ? name : `${parent.relative}/${name}`,
    absolute,
    facts: parent.exists ? await lstat(absolute).catch(() => null) : null,
  };
}

async function existing(files: WorkspaceFiles, path: string): Promise<Place & { facts: Stats }> {
  const found = await place(files, path);
  if (found.facts) return { ...found, facts: found.facts };
  throw new AppError('not_found', `${found.relative} does not exist any more.`, {
    hint: 'Refresh the explorer.',
    detail: { path: found.relative },
  });
}

async function done(path: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError(code === 'ENOSPC' ? 'disk_full' : 'io_failed', `${path}: ${why}`, {
      hint: 'Check the permissions of the folder.',
      cause: error,
      detail: { path, errno: code },
    });
  }
}

const taken = (path: string): AppError =>
  new AppError('conflict', `${path} exists already.`, { hint: 'Choose another name.', detail: { path } });

/** @throws AppError `conflict` when something has that name, `io_failed`, and those of the path jail */
export async function createEntry(
  files: WorkspaceFiles,
  path: string,
  kind: 'file' | 'folder',
): Promise<void> {
  const target = await place(files, path);
  if (target.facts) throw taken(target.relative);
  if (kind === 'folder') await done(target.relative, mkdir(target.absolute, { recursive: true }));
  else await files.writeBytes(target.relative, Buffer.alloc(0), { expectedHash: null });
}

/** On a file system that ignores case the new name finds the old file: that is a rename, not a clash. */
function isSameEntry(from: Place & { facts: Stats }, to: Place): boolean {
  return (
    to.facts !== null &&
    to.facts.ino === from.facts.ino &&
    to.facts.dev === from.facts.dev &&
    from.absolute !== to.absolute &&
    from.absolute.toLowerCase() === to.absolute.toLowerCase()
  );
}

/**
 * Renames or moves an entry; a link moves itself, not what it leads to.
 *
 * @throws AppError `conflict` when something has the new name, `bad_argument` for a folder into itself, `not_found`,
 *   `io_failed`, and those of the path jail
 */
export async function moveEntry(files: WorkspaceFiles, from: string, to: string): Promise<void> {
  const source = await existing(files, from);
  const target = await place(files, to);
  if (target.absolute === source.absolute) return;
  if (target.facts && !isSameEntry(source, target)) throw taken(target.relative);
  if (`${target.absolute}/`.replaceAll('\\', '/').startsWith(`${source.absolute}/`.replaceAll('\\', '/'))) {
    throw new AppError('bad_argument', `${source.relative} can't be moved into itself.`, {
      hint: 'Choose another folder.',
    });
  }
  await done(target.relative, mkdir(dirname(target.absolute), { recursive: true }));
  await done(target.relative, rename(source.absolute, target.absolute));
}

/**
 * Removes an entry, folders with all that is in them; links are removed, not followed.
 *
 * @param trash moves an absolute path to the system's trash; null = there is none
 * @returns whether it is gone for good
 */
export async function removeEntry(
  files: WorkspaceFiles,
  path: string,
  trash: ((absolutePath: string) => Promise<void>) | null,
): Promise<{ permanent: boolean }> {
  const target = await existing(files, path);
  if (trash) {
    await done(target.relative, trash(target.absolute));
    return { permanent: false };
  }
  await done(target.relative, rm(target.absolute, { recursive: true, maxRetries: 3 }));
  return { permanent: true };
}
