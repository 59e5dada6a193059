import { randomBytes } from 'node:crypto';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { AppError } from '../../../shared/error';

async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

async function writeFlushed(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file of the data folder in one step: other readers see the old text or the new one. A link stays a link.
 *
 * @throws AppError `disk_full` or `io_failed`; the old file is then unharmed
 */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const target = await targetOf(path);
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFlushed(draft, text, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw new AppError(full ? 'disk_full' : 'io_failed', `${path} could not be written.`, {
      hint: full ? 'Free some space and try again.' : 'Check the permissions of the file and its folder.',
      cause: error,
      detail: { path },
    });
  }
}
