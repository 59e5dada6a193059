import type { BigIntStats } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { AppError } from '../../../shared/error';

export interface CheckedFolder {
  /** Absolute, links resolved. */
  path: string;
  facts: BigIntStats;
}

function folderError(path: string, error: unknown): AppError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const options = { cause: error, detail: { path, errno: code } };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError('folder_missing', `The folder ${path} does not exist.`, {
      ...options,
      hint: 'It may have been moved or renamed: open it where it is now.',
    });
  }
  const why = code === 'EACCES' || code === 'EPERM' ? 'you may not read it' : code || 'it could not be read';
  return new AppError('folder_unreadable', `The folder ${path} can't be opened: ${why}.`, {
    ...options,
    hint: 'Change its permissions, or open another folder.',
  });
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

/**
 * Makes sure that `path` (absolute, or beginning with `~`) is a folder that can be listed.
 *
 * @throws AppError `bad_argument` for relative paths and files, `folder_missing`, `folder_unreadable`
 */
export async function checkFolder(path: string): Promise<CheckedFolder> {
  const wanted = expandHome(path);
  if (!isAbsolute(wanted) || wanted.includes('\0')) {
    throw new AppError('bad_argument', `"${path}" is not the full path of a folder.`, {
      hint: 'Give the path from the root of the disk or from ~.',
    });
  }
  const { real, facts } = await look(wanted);
  if (!facts.isDirectory()) {
    throw new AppError('bad_argument', `${wanted} is a file, not a folder.`, {
      hint: 'Open the folder that it is in.',
      detail: { path: wanted },
    });
  }
  try {
    await (await opendir(real)).close();
  } catch (error) {
    throw folderError(wanted, error);
  }
  return { path: real, facts };
}

async function look(path: string): Promise<{ real: string; facts: BigIntStats }> {
  try {
    const real = await realpath(path);
    return { real, facts: await stat(real, { bigint: true }) };
  } catch (error) {
    throw folderError(path, error);
  }
}
